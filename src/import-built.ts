import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtName, isBuilt, programPath, projectFolder } from './lib/project.ts'

/** What `npm run build` writes to `dist/build.json`. */
export interface BuildRecord {
  /** When the build began, in milliseconds since 1970. */
  readonly startedAt: number
  /** The files it was made from, as paths from the root. */
  readonly sources: readonly string[]
}

/**
 * Imports a module from `dist/`, where a thousand modules are a few files and load in a fraction of the time. If a source
 * has changed since the build, or if there is no build, it imports the source instead: what runs is always the code that
 * can be read. A package has no sources, and imports its own files.
 *
 * @param source its path from the root, such as `src/cli/run-command.ts`; listed in `deploy/build.ts`
 */
export const importBuilt = async <Module>(source: string): Promise<Module> => {
  const path =
    !isBuilt && isBuildFresh(projectFolder)
      ? join(projectFolder, 'dist', builtName(source))
      : programPath(source)
  return (await import(pathToFileURL(path).href)) as Module
}

/** Is there a build of the sources as they are now? Takes some milliseconds for a thousand files. */
export const isBuildFresh = (project: string): boolean => {
  try {
    const record = JSON.parse(readFileSync(join(project, 'dist/build.json'), 'utf8')) as BuildRecord
    return record.sources.every(path => statSync(join(project, path)).mtimeMs < record.startedAt)
  } catch {
    return false
  }
}
