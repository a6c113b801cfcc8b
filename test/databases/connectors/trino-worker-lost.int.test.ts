import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { makeTrinoConnector } from '../../../src/databases/connectors/trino/connector.ts'
import type { Connector } from '../../../src/domain/database.ts'
import { runOn } from '../../helpers/run-on.ts'
import { requireService } from '../../helpers/services/require-service.ts'
import { askTrino } from '../../helpers/services/trino.ts'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'

const clusterUrl = requireService('TRINO_URL', 'a Trino cluster that loses a worker')

/** Where test/engines/trino/start.sh keeps its files. */
const folder = process.env.TRINO_FOLDER ?? '/tmp/querent-engines/trino'

const name = 'worker-lost'

const place = { catalog: 'tpch', schema: 'tiny' }

describe.skipIf(clusterUrl === null)('a worker that is killed', () => {
  const url = clusterUrl ?? ''
  let connector: Connector
  const workers = async (): Promise<number> => {
    const [row] = await askTrino(
      url,
      "select count(*) from system.runtime.nodes where state = 'active' and not coordinator",
      place,
    )
    return Number(row?.[0])
  }

  afterAll(() => connector?.close())

  it('ends its statement with words that say so, and the next one works', async () => {
    const before = await workers()
    execFileSync(join(import.meta.dirname, '../../engines/trino/worker.sh'), [folder, name])
    await vi.waitFor(async () => expect(await workers()).toBe(before + 1), { timeout: 60_000, interval: 500 })
    connector = await makeTrinoConnector({ url: `${url}/tpch/sf100`, place: 'shop' })
    const running = sqlErrorOf(
      runOn(connector, 'select max(extendedprice), max(comment) from lineitem', {
        // The servers of the test notice after half a minute; real ones, within seconds.
        timeoutMs: 50_000,
      }),
    )
    await vi.waitFor(
      async () => {
        const [row] = await askTrino(
          url,
          `select count(distinct node_id) from system.runtime.tasks t join system.runtime.queries q using (query_id)
           where q.source = 'querent' and q.query like '%max(extendedprice)%' and t.state = 'RUNNING'`,
          place,
        )
        expect(Number(row?.[0])).toBe(before + 1)
      },
      { timeout: 30_000, interval: 200 },
    )
    process.kill(Number(readFileSync(join(folder, `${name}.pid`), 'utf8')), 'SIGKILL')

    const error = await running
    expect(error.errorClass).toBe('connection')
    expect(error.message).toBe(
      'A server of the cluster stopped answering while the statement ran. Ask again.',
    )
    expect((await runOn(connector, 'select count(*) from nation', { timeoutMs: 60_000 })).rows).toEqual([
      [25],
    ])
  }, 180_000)
})
