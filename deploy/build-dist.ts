import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildRecord } from '../src/import-built.ts'
import { projectFolder } from '../src/lib/project.ts'
import { bundle } from './bundle.ts'

/** Makes `dist/` from the sources, smaller for a package. Returns the folders of the packages that are in it. */
export const buildDist = async (
  options: { readonly isPackage: boolean } = { isPackage: false },
): Promise<readonly string[]> => {
  const dist = join(projectFolder, 'dist')
  const startedAt = Date.now()
  rmSync(dist, { recursive: true, force: true })
  const { sources, packages } = await bundle(dist, options)
  const record: BuildRecord = { startedAt, sources }
  // Written last: without it nothing runs from `dist/`.
  writeFileSync(join(dist, 'build.json'), JSON.stringify(record))
  return packages
}
