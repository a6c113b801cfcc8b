import process from 'node:process'
import { serve } from '../child/serve.ts'
import { introspect } from './catalog.ts'
import { openSource } from './open.ts'
import { makeReadRows } from './read-rows.ts'
import { type ChildTask, findSource } from './source.ts'

/**
 * The program that a DuckDB connector forks: one database or folder, one statement at a time. It is killed if a
 * statement takes too long. Arguments: its task as JSON, and the parent's pid.
 */
const [task = '', parentPid = ''] = process.argv.slice(2)

const { path, ...settings } = JSON.parse(task) as ChildTask

await serve({
  open: async () => {
    const source = await findSource(path)
    const opened = await openSource(source, settings)
    return {
      run: makeReadRows(opened.connection, settings.timeZone),
      introspect: () => introspect(opened, source),
    }
  },
  toChildError: error => ({
    resultCode: null,
    message: error instanceof Error ? error.message : String(error),
  }),
  parentPid: Number(parentPid),
  // DuckDB's own limit counts its buffers, but not the memory of a single text or list.
  maxResidentBytes: 1.5 * settings.memoryBytes + 128 * 1024 * 1024,
})
