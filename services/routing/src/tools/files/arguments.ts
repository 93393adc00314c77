import { type Static, Type } from 'typebox';

const nameCharactersMax = 255;
/** A file of a model is written in one call, whose arguments the model wrote token by token. */
const contentCharactersMax = 1_048_576;

const name = (description: string) =>
  Type.Optional(
    Type.String({ description, minLength: 1, maxLength: nameCharactersMax, default: 'notes.txt' }),
  );
const content = (description: string, standard: string) =>
  Type.Optional(Type.String({ description, maxLength: contentCharactersMax, default: standard }));

/** The arguments of each operation in one object: models fill flat objects best. */
export const filesArguments = Type.Object({
  operation: Type.Enum(['list', 'read', 'write', 'edit'], {
    type: 'string',
    description: 'What to do.',
    default: 'list',
  }),
  file_id: Type.Optional(
    Type.String({ description: 'read, edit: the id of the file.', maxLength: 64 }),
  ),
  filename: name(
    'read, edit: the name of the file, if no id is given. write: the name of the new file.',
  ),
  filename_filter: Type.Optional(
    Type.String({ description: 'list: a part of the names.', maxLength: nameCharactersMax }),
  ),
  content: content('write: the text of the new file.', 'hello'),
  old_string: content(
    'edit: the text to replace, which must stand in the file exactly once.',
    'hello',
  ),
  new_string: content('edit: the text in its place.', 'goodbye'),
  new_filename: name('edit: the name of the new file. The old one if absent.'),
});

export type FilesArguments = Static<typeof filesArguments>;
