import { Type } from 'typebox';

const closed = { additionalProperties: false };
const day = Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });
const index = Type.Optional(Type.Number({ minimum: 0, maximum: 1_000 }));
const word = Type.String({ minLength: 1, maxLength: 64 });

/** The sampling settings that the author of a model recommends. */
const settingsSchema = Type.Object(
  {
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    top_k: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
    presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
    repetition_penalty: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
  },
  closed,
);

/** The results of the model in public benchmarks. */
const benchmarksSchema = Type.Object(
  {
    artificial_analysis: Type.Optional(
      Type.Object({ intelligence_index: index, coding_index: index, agentic_index: index }, closed),
    ),
    design_arena: Type.Optional(
      Type.Array(
        Type.Object(
          {
            arena: word,
            category: word,
            elo: Type.Number({ minimum: 0, maximum: 10_000 }),
            rank: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
            win_rate: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
          },
          closed,
        ),
        { maxItems: 50 },
      ),
    ),
    /** The share of tool calls that were well-formed. */
    tool_success_rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  },
  closed,
);

/** Facts of a model that the lists show. */
export const modelFacts = {
  canonical_slug: Type.Optional(
    Type.String({ pattern: '^[a-z0-9-]{1,64}/[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$' }),
  ),
  aliases: Type.Optional(
    Type.Array(Type.String({ pattern: '^~?[a-z0-9-]{1,64}/[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$' }), {
      maxItems: 20,
    }),
  ),
  tokenizer: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  hugging_face_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  knowledge_cutoff: Type.Optional(day),
  expiration_date: Type.Optional(day),
  distillable: Type.Optional(Type.Boolean()),
  categories: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-z/-]{1,64}$' }), { maxItems: 20 }),
  ),
  instruct_type: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  default_parameters: Type.Optional(settingsSchema),
  benchmarks: Type.Optional(benchmarksSchema),
};
