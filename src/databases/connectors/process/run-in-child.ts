import type { Catalog } from '../../../core/catalog.ts'
import type { RunOptions } from '../../../core/connector.ts'
import { QuerentError } from '../../../core/errors.ts'
import type { Cell, ResultTable } from '../../../core/result.ts'
import type { ChildPool } from './child-pool.ts'
import type { Child } from './fork-child.ts'
import type { ChildReply } from './wire.ts'

const introspectMilliseconds = 120_000

const unexpected = (reply: ChildReply): QuerentError =>
  new QuerentError('internal', `A database process answered ${reply.type} to another question.`)

/** Runs one statement in a child of the pool; `onChild` hears which one it is. Rejects with `SqlError`. */
export const runInChild = (
  pool: ChildPool,
  sql: string,
  { signal, ...limits }: RunOptions,
  onChild: (child: Child) => void = () => {},
): Promise<ResultTable> =>
  pool.use(async child => {
    onChild(child)
    const rows: (readonly Cell[])[] = []
    const started = performance.now()
    const reply = await child.request(
      { type: 'run', sql, maxRows: limits.maxRows, maxBytes: limits.maxBytes },
      {
        timeoutMs: limits.timeoutMs,
        onRows: batch => {
          for (const row of batch) rows.push(row)
        },
        ...(signal && { signal }),
      },
    )
    if (reply.type !== 'done') throw unexpected(reply)
    const { columns, truncated } = reply
    return { columns, rows, truncated, milliseconds: performance.now() - started }
  }, signal)

/** Reads the catalog in a child of the pool. */
export const introspectInChild = (pool: ChildPool, signal?: AbortSignal): Promise<Catalog> =>
  pool.use(async child => {
    const reply = await child.request(
      { type: 'introspect' },
      { timeoutMs: introspectMilliseconds, ...(signal && { signal }) },
    )
    if (reply.type !== 'catalog') throw unexpected(reply)
    return reply.catalog
  }, signal)
