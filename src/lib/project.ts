import { join } from 'node:path'

/**
 * Where the parts of this project are, whether it runs from its sources or from `dist/`, which holds the same code as few
 * large files (`npm run build`).
 */

/** Does this process run the sources? In `dist/` this file is part of a JavaScript file. */
const runsSources = import.meta.filename.endsWith('.ts')

/** Absolute path of the project's root folder. All files of `dist/` are directly in that folder. */
export const projectFolder = join(import.meta.dirname, runsSources ? '../..' : '..')

/** The name in `dist/` of a module that others start or load on demand, such as `cli-run-command.js`. */
export const builtName = (source: string): string =>
  `${source
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-')}.js`

/**
 * Absolute path of a program that a child process or a thread runs, in the form that this process runs itself.
 *
 * @param source its path from the root, such as `src/databases/connectors/sqlite/child.ts`; listed in `deploy/build.ts`
 */
export const programPath = (source: string): string =>
  runsSources ? join(projectFolder, source) : join(import.meta.dirname, builtName(source))
