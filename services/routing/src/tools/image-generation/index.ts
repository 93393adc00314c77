import type { Catalog, Model } from '@sluice/catalog';
import type { ImageGenerationSettings } from '@sluice/client-schemas';
import type { ImageContent, InputItem } from '@sluice/inference';
import { Type } from 'typebox';
import { askingMs } from '../asking/inner-fields.ts';
import { message } from '../asking/transcript.ts';
import { passedOn } from '../native.ts';
import type { ServerTool, ToolContext, ToolResult } from '../tool.ts';

export interface ImageGenerationOptions {
  readonly catalog: Pick<Catalog, 'find' | 'listed'>;
  /** The model that draws if a request names none. Absent: the first one of the catalog that draws. */
  readonly imageModel?: string | undefined;
}

/** The kind of OpenAI's API. */
const shortKind = 'image_generation';

const promptCharactersMax = 32_768;

/** Returns the tool that lets a model of pictures draw. The client gets the picture. */
export function imageGenerationTool(options: ImageGenerationOptions): ServerTool {
  return {
    type: 'service:image_generation',
    aliases: [shortKind],
    native: passedOn(shortKind),
    itemType: (kind) => (kind === shortKind ? 'image_generation_call' : 'service:image_generation'),
    timeoutMs: askingMs,
    asFunction: () => ({
      description: 'Draws a picture. The user sees it beside the answer.',
      parameters: Type.Object({
        prompt: Type.String({
          description: 'What the picture shows.',
          minLength: 1,
          maxLength: promptCharactersMax,
          default: 'a lighthouse at dawn',
        }),
      }),
    }),
    worstCost: () => 0n,
    opening: ({ prompt }) => ({ prompt }),
    run: (args, context) => draw(String(args['prompt']), options, context),
    replay({ prompt, imageUrl, error }) {
      if (typeof prompt !== 'string') return undefined;
      const isDrawn = typeof imageUrl === 'string';
      const output = isDrawn ? drawn : { status: 'error', error };
      return { arguments: JSON.stringify({ prompt }), output: JSON.stringify(output) };
    },
  };
}

/** A picture as text would be megabytes of tokens. */
const drawn = { status: 'ok', imageUrl: 'the user sees the picture beside this answer' };

async function draw(
  prompt: string,
  { catalog, imageModel }: ImageGenerationOptions,
  context: ToolContext,
): Promise<ToolResult> {
  const { model: asked, ...config }: ImageGenerationSettings = context.settings;
  const isInKind = context.kind === shortKind;
  const known = isInKind ? openAiModel(asked, catalog) : asked;
  const model = known ?? imageModel ?? catalog.listed.find(draws)?.id;
  const failed = (problem: string) => failure(prompt, problem, isInKind);
  if (model === undefined) return failed('no model of pictures is set up');
  context.progress({ event: 'image_generation_call.in_progress' });
  context.progress({ event: 'image_generation_call.generating' });
  const { items, text, error } = await context.ask({
    model,
    items: [message('user', prompt)],
    fields: { modalities: modalitiesOf(catalog.find(model)), image_config: config },
  });
  if (error) return failed(error.message);
  const picture = items.map(pictureOf).find((one) => one !== undefined);
  if (!picture) return failed(text === '' ? 'the model drew nothing' : text);
  context.progress({ event: 'image_generation_call.completed' });
  return {
    output: JSON.stringify(drawn),
    item: isInKind
      ? { prompt, result: picture.base64 }
      : { prompt, imageUrl: `data:${picture.mediaType};base64,${picture.base64}` },
    block: {
      name: context.name,
      type: `${context.name}_tool_result`,
      content: [
        { type: 'text', text: JSON.stringify(drawn) },
        {
          type: 'image',
          source: { type: 'base64', media_type: picture.mediaType, data: picture.base64 },
        },
      ],
    },
  };
}

function draws({ outputModalities }: Model): boolean {
  return outputModalities.includes('image');
}

/** Some models draw only beside a text, and others write none. */
function modalitiesOf(model: Model | undefined): readonly string[] {
  return model?.outputModalities.includes('text') === false ? ['image'] : ['text', 'image'];
}

type Picture = Extract<ImageContent['source'], { readonly type: 'data' }>;

function pictureOf(item: InputItem): Picture | undefined {
  if (item.type !== 'native') return undefined;
  const source = item.picture?.source;
  return source?.type === 'data' ? source : undefined;
}

/** OpenAI's API names its models without their author. */
function openAiModel(
  name: string | null | undefined,
  catalog: ImageGenerationOptions['catalog'],
): string | undefined {
  if (name === undefined || name === null) return undefined;
  return [name, `openai/${name}`].find((id) => catalog.find(id));
}

function failure(prompt: string, error: string, isInKind: boolean): ToolResult {
  const item: ToolResult['item'] = isInKind
    ? { prompt, result: null, status: 'failed' }
    : { prompt, error };
  return { output: JSON.stringify({ status: 'error', error }), isError: true, item };
}
