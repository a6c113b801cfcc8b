import { enableCompileCache } from 'node:module'
import { basename, dirname, join } from 'node:path'

/**
 * Where the parts of this project are, whether it runs from its sources or from `dist/`, which holds the same code as few
 * large files (`npm run build`). The package that npm installs has such files alone (`npm pack`).
 */

/** Does this process run large files instead of the sources? In `dist/` this file is part of a JavaScript file. */
export const isBuilt = !import.meta.filename.endsWith('.ts')

/** Absolute path of the project's root folder. All files of `dist/` are directly in that folder. */
export const projectFolder = join(import.meta.dirname, isBuilt ? '..' : '../..')

/** Was this copy installed by npm as a package? If not, it is a clone or an image. */
const isInstalled = basename(dirname(projectFolder)) === 'node_modules'

/** What answers depend on: code, prompts and trained models. A package has code and models in its large files. */
export const answeringFolders = (
  isInstalled ? ['dist', 'prompts'] : ['graphs', 'prompts', 'src', 'weights']
).map(folder => join(projectFolder, folder))

/** Commands that are scripts of their own in a clone. */
const scripts: Readonly<Record<string, string>> = { demo: 'npm run demo', serve: 'npm start' }

/**
 * How a command of Querent is typed where this copy runs: `npm run -s querent -- doctor` in a clone, `npx querent doctor`
 * if it was installed.
 *
 * @param command without the name of the program, such as `doctor`
 */
export const ownCommand = (command: string): string =>
  isInstalled ? `npx querent ${command}` : (scripts[command] ?? `npm run -s querent -- ${command}`)

/**
 * Lets Node keep compiled code, which saves most of the time to start. The folder is the project's own, because anyone
 * who can write to it can make Querent run any code. The starter of a package does this itself.
 */
export const keepCompiledCode = (): void => {
  if (!isBuilt) enableCompileCache(join(projectFolder, '.querent/compile-cache'))
}

/** With these, libraries write statements with their values, requests and prompts to standard error, past our log. */
const debugVariables = ['DEBUG', 'OPENAI_LOG', 'ANTHROPIC_LOG', 'LANGCHAIN_VERBOSE']

/** Takes variables for debugging from libraries and child processes. To be called before any library is loaded. */
export const quietLibraries = (): void => {
  for (const name of debugVariables) delete process.env[name]
}

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
  isBuilt ? join(import.meta.dirname, builtName(source)) : join(projectFolder, source)
