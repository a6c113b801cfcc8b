import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { connect } from '../../../src/databases/connect.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { makeDuckdbFile } from '../../helpers/duckdb-file.ts'
import { forgeGuardedSql } from '../../helpers/forge-guarded-sql.ts'

/** Resident megabytes of the largest process that this one started. */
const childMegabytes = (): number => {
  const children = readdirSync('/proc').flatMap(pid => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const isOurs = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === process.pid
      return isOurs ? [Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024] : []
    } catch {
      // It ended meanwhile.
      return []
    }
  })
  return Math.max(...children)
}

// The driver keeps a prepared statement until it is destroyed. Kept ones took 200 kB each here, so that after some
// thousands every statement was refused for want of memory.
it.skipIf(process.platform !== 'linux')(
  'a statement leaves no memory behind, nor does one that is refused',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'querent-test-'))
    const file = join(folder, 'a.duckdb')
    await makeDuckdbFile(file, 'create table t as select i as a from range(100) r(i)')
    const connector = await connect({ dialect: 'duckdb', name: 'a', location: file }, { audit: silentAudit })
    try {
      const sums = Array.from({ length: 60 }, (_, i) => `sum(a + ${i}) as c${i}`).join(', ')
      const limits = { timeoutMs: 10_000, maxRows: 10, maxBytes: 100_000 }
      const run = async (count: number): Promise<void> => {
        for (let at = 0; at < count; at += 1) {
          await connector.run(forgeGuardedSql(`select ${sums}, ${at} from t`, 'duckdb'), limits)
          await connector.run(forgeGuardedSql(`select ${sums}, ? from t`, 'duckdb'), limits).catch(() => {})
        }
      }
      await run(100)
      const before = childMegabytes()
      await run(300)
      expect(childMegabytes() - before).toBeLessThan(50)
    } finally {
      await connector.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  60_000,
)
