import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildRecord } from '../src/import-built.ts'
import { projectFolder } from '../src/lib/project.ts'
import { bundle } from './bundle.ts'

/**
 * `npm run build`: makes `dist/` from the sources, in a second or two. `npm ci` runs it too. Nothing breaks without it:
 * Querent then runs from its sources and starts more slowly.
 */
const dist = join(projectFolder, 'dist')
const startedAt = Date.now()
rmSync(dist, { recursive: true, force: true })
const record: BuildRecord = { startedAt, sources: await bundle(dist) }
// Written last: without it nothing runs from `dist/`.
writeFileSync(join(dist, 'build.json'), JSON.stringify(record))
