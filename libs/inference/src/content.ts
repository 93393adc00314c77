/** One piece of what a message or a tool's answer says, in every medium that a dialect may carry. */
export type ContentPart = TextContent | ImageContent | FileContent | AudioContent | VideoContent;

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  /** The prompt up to here is worth being cached. */
  readonly cache?: CacheMarker;
}

export interface ImageContent {
  readonly type: 'image';
  readonly source: MediaSource;
  readonly detail: 'auto' | 'low' | 'high' | 'original';
  /** Models that see no pictures get the request without it. */
  readonly isOptional?: true;
  readonly cache?: CacheMarker;
}

export interface FileContent {
  readonly type: 'file';
  readonly source: MediaSource;
  readonly filename: string | undefined;
  /** The answer names the places of the file that it rests on, where the upstream can. */
  readonly isCited?: true;
  readonly cache?: CacheMarker;
}

export interface AudioContent {
  readonly type: 'audio';
  /** Base64. */
  readonly data: string;
  readonly format: 'mp3' | 'wav';
}

export interface VideoContent {
  readonly type: 'video';
  readonly source: MediaSource;
  /** The way in which the model processes the video, where the upstream has an option for it. */
  readonly processing?: 'agentic' | 'static';
}

/** The source of a medium: in the request itself, on the web, or at the upstream by an id. */
export type MediaSource =
  | { readonly type: 'data'; readonly mediaType: string; readonly base64: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'id'; readonly id: string };

/** The lifetime that is requested for a cached prompt. */
export interface CacheMarker {
  readonly ttl: '5m' | '1h';
}

/** The texts of some content, one after the other; what is no text says nothing. */
export function textOf(content: readonly ContentPart[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
