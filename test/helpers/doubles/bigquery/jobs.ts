import { type DuckDBConnection, type DuckDBInstance, StatementType } from '@duckdb/node-api'
import { encode, type Field, fieldOf } from './encode.ts'
import { ServiceError, toServiceError } from './errors.ts'
import { checkJobRequest, type JobRequest } from './job-request.ts'
import { toDuckdb } from './to-duckdb.ts'

interface Job {
  state: 'RUNNING' | 'DONE'
  error: ServiceError | null
  fields: readonly Field[]
  rows: unknown[]
  readonly connection: DuckDBConnection
  stoppedBy: string | null
  interrupting: NodeJS.Timeout | null
  ended: Promise<void>
}

/** The jobs of the double. */
export interface BigqueryJobs {
  readonly insert: (request: JobRequest) => Promise<unknown>
  readonly get: (id: string) => unknown
  readonly cancel: (id: string) => unknown
  readonly results: (id: string, query: URLSearchParams) => Promise<unknown>
  readonly running: () => number
  /** Labels of every job and dry run so far. */
  readonly labels: readonly Readonly<Record<string, string>>[]
  readonly close: () => void
}

const kinds: Readonly<Record<number, string>> = {
  [StatementType.SELECT]: 'SELECT',
  [StatementType.INSERT]: 'INSERT',
  [StatementType.UPDATE]: 'UPDATE',
  [StatementType.DELETE]: 'DELETE',
  [StatementType.CREATE]: 'CREATE_TABLE',
  [StatementType.DROP]: 'DROP_TABLE',
  [StatementType.ALTER]: 'ALTER_TABLE',
}

/** Tables that stand for external ones: how much is read of them is not known beforehand. */
const isOutside = (table: string): boolean => table.startsWith('external_')

export const makeJobs = (instance: DuckDBInstance, project: string): BigqueryJobs => {
  const jobs = new Map<string, Job>()
  const labels: Readonly<Record<string, string>>[] = []

  const connect = async (zone: string, dataset: string | undefined): Promise<DuckDBConnection> => {
    const connection = await instance.connect()
    await connection.run(`SET TimeZone = '${zone}'${dataset === undefined ? '' : `; USE ${dataset}`}`)
    return connection
  }

  /** What the statement is and reads, by DuckDB's own parser and binder. */
  const analyze = async (connection: DuckDBConnection, sql: string) => {
    const statements = await connection.extractStatements(sql)
    if (statements.count > 1) return { statementType: 'SCRIPT', tables: [] as string[], bytes: 0, fields: [] }
    const prepared = await statements.prepare(0)
    const names = Array.from({ length: prepared.columnCount }, (_, at) => prepared.columnName(at))
    const fields = names.map((name, at) =>
      fieldOf(/^[A-Za-z_]\w*$/.test(name) ? name : `f${at}_`, prepared.columnType(at)),
    )
    const doubled = fields.find(({ name }, at) => fields.findIndex(one => one.name === name) < at)
    if (prepared.statementType === StatementType.SELECT && doubled !== undefined)
      throw new ServiceError(
        400,
        'invalidQuery',
        `Duplicate column names in the result are not supported. Found duplicate(s): ${doubled.name}`,
      )
    const tables = [...connection.getTableNames(sql, false)].filter(name => name !== 'range')
    let bytes = 0
    for (const table of tables.filter(name => !isOutside(name))) {
      const sizes = await connection.runAndReadAll(
        `SELECT coalesce(sum(estimated_size * column_count * 8), 0)::BIGINT FROM duckdb_tables() WHERE table_name = '${table}'`,
      )
      bytes += Number(sizes.getRows()[0]?.[0])
    }
    return { statementType: kinds[prepared.statementType] ?? 'OTHER', tables, bytes, fields }
  }

  const follow = async (job: Job, sql: string): Promise<void> => {
    try {
      const result = await job.connection.stream(sql)
      for (;;) {
        const chunk = await result.fetchChunk()
        if (chunk === null || chunk.rowCount === 0 || job.stoppedBy !== null) break
        for (const row of chunk.getRows())
          job.rows.push({ f: row.map((value, at) => ({ v: encode(value, job.fields[at] as Field) })) })
      }
    } catch (error) {
      job.error = toServiceError(error)
    }
    if (job.stoppedBy !== null)
      job.error = new ServiceError(400, 'stopped', `Job execution was cancelled: ${job.stoppedBy}`)
    job.state = 'DONE'
    if (job.interrupting !== null) clearInterval(job.interrupting)
    job.connection.closeSync()
  }

  const found = (id: string): Job => {
    const job = jobs.get(id)
    if (job === undefined) throw new ServiceError(404, 'notFound', `Not found: Job ${project}:EU.${id}`)
    return job
  }

  const stop = (job: Job, why: string): void => {
    if (job.state === 'DONE') return
    job.stoppedBy ??= why
    job.connection.interrupt()
    // DuckDB forgets an interruption that comes before the statement has begun.
    job.interrupting ??= setInterval(() => job.connection.interrupt(), 20)
  }

  const resource = (id: string, job: Job): object => ({
    jobReference: { projectId: project, jobId: id, location: 'EU' },
    status: {
      state: job.state,
      ...(job.error && { errorResult: { reason: job.error.reason, message: job.error.message } }),
    },
  })

  return {
    insert: async request => {
      checkJobRequest(request, project)
      const { configuration, jobReference } = request
      const { query, dryRun, jobTimeoutMs } = configuration
      labels.push(configuration.labels)
      const sql = toDuckdb(query.query, project)
      const connection = await connect(
        query.connectionProperties[0]?.value ?? 'UTC',
        query.defaultDataset?.datasetId,
      )
      const plan = await analyze(connection, sql).catch((error: unknown) => {
        connection.closeSync()
        throw toServiceError(error)
      })
      if (dryRun) {
        connection.closeSync()
        return {
          status: { state: 'DONE' },
          statistics: {
            totalBytesProcessed: String(plan.bytes),
            query: {
              statementType: plan.statementType,
              totalBytesProcessed: String(plan.bytes),
              totalBytesProcessedAccuracy: plan.tables.some(isOutside) ? 'UNKNOWN' : 'PRECISE',
              referencedTables: plan.tables.map(tableId => ({
                projectId: project,
                datasetId: 'harbor',
                tableId,
              })),
            },
          },
        }
      }
      const id = jobReference.jobId
      if (id === undefined || jobs.has(id))
        throw new ServiceError(409, 'duplicate', `Already Exists: Job ${project}:EU.${id}`)
      const job: Job = {
        ...{ state: 'RUNNING', error: null, fields: plan.fields, rows: [], connection, stoppedBy: null },
        interrupting: null,
        ended: Promise.resolve(),
      }
      jobs.set(id, job)
      if (plan.bytes > Number(query.maximumBytesBilled ?? Number.POSITIVE_INFINITY)) {
        job.state = 'DONE'
        job.error = new ServiceError(
          400,
          'bytesBilledLimitExceeded',
          `Query exceeded limit for bytes billed: ${query.maximumBytesBilled}.`,
        )
        connection.closeSync()
        return resource(id, job)
      }
      const limit = AbortSignal.timeout(Number(jobTimeoutMs))
      limit.addEventListener('abort', () => stop(job, `Job timed out after ${Number(jobTimeoutMs) / 1000}s`))
      job.ended = follow(job, sql)
      return resource(id, job)
    },
    get: id => resource(id, found(id)),
    cancel: id => {
      stop(found(id), 'User requested cancellation')
      return { kind: 'bigquery#jobCancelResponse' }
    },
    results: async (id, query) => {
      const job = found(id)
      const waited = new Promise<void>(resolve =>
        AbortSignal.timeout(Number(query.get('timeoutMs'))).addEventListener('abort', () => resolve()),
      )
      await Promise.race([job.ended, waited])
      if (job.state !== 'DONE') return { jobComplete: false }
      if (job.error) throw job.error
      const from = Number(query.get('pageToken') ?? 0)
      const until = from + Number(query.get('maxResults'))
      return {
        jobComplete: true,
        schema: { fields: job.fields },
        totalRows: String(job.rows.length),
        rows: job.rows.slice(from, until),
        ...(until < job.rows.length && { pageToken: String(until) }),
      }
    },
    running: () => [...jobs.values()].filter(({ state }) => state !== 'DONE').length,
    labels,
    close: () => {
      for (const job of jobs.values()) stop(job, 'The service ends')
    },
  }
}
