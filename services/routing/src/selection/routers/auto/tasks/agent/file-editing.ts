import { task } from '../task.ts';

export const agentFileEditing = task('agent:file_editing', 'agent', {
  strong:
    'in the repo, this repo, the codebase, package.json, readme, license header, every file, all files, ' +
    'in the file, in file, in the config, the tests fail, rename the, delete the function, all imports, ' +
    'add a field to, bump, dependencies, gitignore, changelog, commit the, in der datei, en el archivo, ' +
    'dans le fichier, in allen dateien, everywhere, type hints, in the readme, im readme, abschnitt, ' +
    'section to, models.py, utils.py, main.go, index.js, tsconfig, docstring*, in the project, ' +
    'lint errors, unused imports, fix the test, failing test, all occurrences, the variable, jsdoc, ' +
    'helper functions, from index.ts, footer still, css, html, still says, change it, in src, under src, ' +
    'under lib, under packages, in utils, in models, in tests, in locales, in config.yaml, in settings, ' +
    'the component, everywhere in, rename the component, file by file, console.log calls, remove all, ' +
    'delete unused, sort the imports, fix the imports, one module per, pyproject.toml, dockerfile use, ' +
    'create a gitignore, fix the typo, the typo, section install, readme.md, uncomment, in nginx.conf, ' +
    'in the notebook, the notebook, in chapter, put the paragraph, renumber, throughout, ' +
    'in the contract draft, replace lines, convert tests, fix all warnings, lint fails, ' +
    'is not translated, settings page, add a, flag to, füge in, ersetze in, in allen html, dokumentiere, ' +
    'in main.go, ajoute un champ, au modèle, dans models, cambia el, en theme.css, actualiza las, 改成, ' +
    '替换, 文件, 删除, の未使用, を削除して, ファイル, 変更して, замени во, во всех файлах, в файле, добавь в, json, toml, ' +
    'yaml, yml, tsx, conf, ipynb, php, java, coding agent',
  words:
    'file, files, folder, directory, repo, repository, edit, commit, refactor, datei, dateien, archivo, ' +
    'fichier, function, import*, module, class, tests pass, codebase, replace all, typo, config, branch, ' +
    'src, variable, hinzu, füge, method, comments, indentation, merge conflict, version in, tests, ' +
    'component, footer, helpers, paragraph about, axis labels, to constants, client in, retry with, ' +
    'backoff, header is, save them as, version to, port to, set the, log level, snippet, clause*, ' +
    'pytest style, unittest to, variables, uses',
  weak:
    'cell, notebook, chapter, migration, header, locales, heading, delete, add, change, rename, move, ' +
    'update, fix, replace, line, remove',
});
