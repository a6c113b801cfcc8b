import { makeAuditFile } from '../../../src/store/audit-file/audit-file.ts'
import { makeRecord } from './make-record.ts'

/** Writes statements, numbered, until it is killed, and says how many were written. Their lines take several pages. */
const [folder = '', name = ''] = process.argv.slice(2)

const file = makeAuditFile(folder, { purgeBefore: () => null })

for (let written = 0; ; written += 3) {
  await file.insert(
    [0, 1, 2].map(i => makeRecord({ person: name, sql: `${written + i} ${name.repeat(9_000)}` })),
  )
  process.send?.({ name, written: written + 3 })
}
