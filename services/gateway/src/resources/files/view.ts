import type { File } from '@sluice/protos/sluice/workspace/v1/file';

/** The public form of a file of a workspace. */
export function workspaceFileView(file: File) {
  return {
    id: file.fileId,
    workspace_id: file.workspaceId,
    filename: file.name,
    media_type: file.mediaType,
    bytes: Number(file.bytes),
    sha256: file.sha256,
    created_at: file.createdAt,
  };
}
