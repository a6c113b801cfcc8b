import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { wrongAddress } from '../http/read-address.ts'
import { makeStatementSlots } from '../http/statement-slots.ts'
import { makeRowCap } from '../row-cap.ts'
import type { BigqueryAddress } from './address.ts'
import { type ServiceReason, toSqlError } from './errors.ts'
import type { BigqueryPlan } from './plan.ts'
import { type BigqueryField, type BigqueryRow, kindOfField, toCell } from './values.ts'

/** One request to the service. Rejects with `SqlError`. */
export type Ask = <T>(request: {
  readonly method?: 'GET' | 'POST'
  /** Behind the project. */
  readonly path: string
  /** The project that pays, if left out. */
  readonly project?: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
}) => Promise<T>

/** A statement that has begun. */
export interface BigqueryJob {
  readonly isAtWork: () => Promise<boolean>
}

/** Statements of one project, each a job of its own. */
export interface BigquerySession {
  readonly ask: Ask
  /** What a statement would do and read. It is not run, and costs nothing. */
  readonly dryRun: (sql: string, options: RunOptions) => Promise<BigqueryPlan>
  /** Runs a statement that the service calls a query. Rejects with `SqlError`. */
  readonly run: (
    sql: string,
    options: RunOptions,
    onBegun?: (job: BigqueryJob) => void,
  ) => Promise<ResultTable>
  readonly close: () => Promise<void>
}

interface Job {
  readonly jobReference?: { readonly location?: string }
  readonly status?: { readonly state?: string; readonly errorResult?: ServiceReason }
  readonly statistics?: {
    readonly totalBytesProcessed?: string
    readonly query?: {
      readonly statementType?: string
      readonly totalBytesProcessed?: string
      /** PRECISE and UPPER_BOUND can be relied on; LOWER_BOUND and UNKNOWN, as of tables outside, cannot. */
      readonly totalBytesProcessedAccuracy?: string
      readonly referencedTables?: readonly {
        readonly projectId: string
        readonly datasetId: string
        readonly tableId: string
      }[]
    }
  }
}

interface Page {
  readonly jobComplete?: boolean
  readonly schema?: { readonly fields?: readonly BigqueryField[] }
  readonly rows?: readonly BigqueryRow[]
  readonly pageToken?: string
}

/** How long one request waits for a job to end. */
const longestWaitMs = 10_000

/** Rows of the first page, which holds most answers whole, and of later ones. */
const firstPage = 200

const largestPage = 10_000

const stopPollMs = 100

/** Opens a session. The client of the service is loaded here: other databases do not need it. */
export const openBigquerySession = async (options: {
  readonly address: BigqueryAddress
  readonly size: number
  readonly timeZone: string
}): Promise<BigquerySession> => {
  const { address, size, timeZone } = options
  const ask = await makeAsk(address)
  const slots = makeStatementSlots(size)

  const configurationOf = (sql: string, { timeoutMs, purpose = 'people' }: RunOptions): object => ({
    jobTimeoutMs: String(Math.max(1, Math.ceil(timeoutMs))),
    labels: { ...address.labels, querent: 'true', 'querent-purpose': purpose },
    query: {
      query: sql,
      useLegacySql: false,
      ...(address.home && {
        defaultDataset: { projectId: address.home.project, datasetId: address.home.dataset },
      }),
      ...(address.maxBytesBilled !== null && { maximumBytesBilled: String(address.maxBytesBilled) }),
      // Always: a project or an organization can have a default of its own, other than UTC.
      connectionProperties: [{ key: 'time_zone', value: timeZone }],
    },
  })
  const place = address.location === null ? {} : { location: address.location }

  const planOf = async (sql: string, runOptions: RunOptions): Promise<BigqueryPlan> => {
    const { statistics } = await ask<Job>({
      method: 'POST',
      path: '/jobs',
      body: {
        configuration: { ...configurationOf(sql, runOptions), dryRun: true },
        jobReference: { projectId: address.project, ...place },
      },
    })
    const {
      statementType = 'UNKNOWN',
      referencedTables = [],
      totalBytesProcessed = statistics?.totalBytesProcessed,
      totalBytesProcessedAccuracy = 'PRECISE',
    } = statistics?.query ?? {}
    const isBound =
      totalBytesProcessed !== undefined && /^(?:PRECISE|UPPER_BOUND)$/.test(totalBytesProcessedAccuracy)
    return {
      statementType,
      bytes: isBound ? Number(totalBytesProcessed) : null,
      pricePerTiB: address.pricePerTiB,
      tables: referencedTables.map(one => `${one.projectId}.${one.datasetId}.${one.tableId}`),
    }
  }

  /** BigQuery has no read-only mode. It says what kind of statement it has been given, and only queries are sent. */
  const refuseUnlessQuery = async (sql: string, runOptions: RunOptions): Promise<void> => {
    const { statementType } = await planOf(sql, runOptions)
    if (statementType === 'SELECT') return
    throw statementType === 'SCRIPT'
      ? new SqlError('syntax', 'There is more than one statement.', { driverCode: statementType })
      : new SqlError('permission', `The statement is no query, but ${statementType}.`, {
          driverCode: statementType,
        })
  }

  const begin = async (sql: string, runOptions: RunOptions): Promise<RunningJob> => {
    const jobId = `querent_${randomUUID()}`
    const job = await ask<Job>({
      method: 'POST',
      path: '/jobs',
      body: {
        configuration: configurationOf(sql, runOptions),
        jobReference: { projectId: address.project, jobId, ...place },
      },
    }).catch((error: unknown): Job => {
      if (!(error instanceof SqlError) || error.driverCode !== 'duplicate') throw error
      // The answer to an earlier try was lost: the job has begun, where the message says.
      const [, location] = /:([\w-]+)\.querent_/.exec(error.message) ?? []
      return { jobReference: { ...(location !== undefined && { location }) } }
    })
    return followJob(ask, jobId, job.jobReference?.location ?? address.location)
  }

  return {
    ask,
    dryRun: (sql, runOptions) =>
      slots.run(
        runOptions,
        () => planOf(sql, runOptions),
        async () => {},
      ),
    run: (sql, runOptions, onBegun) => {
      let beginning: Promise<RunningJob> | null = null
      return slots.run(
        runOptions,
        async stopping => {
          await refuseUnlessQuery(sql, runOptions)
          stopping.throwIfAborted()
          beginning = begin(sql, runOptions)
          const job = await beginning
          onBegun?.(job)
          return await readRows(job, runOptions, timeZone, stopping)
        },
        async () => {
          const job = await beginning?.catch(() => null)
          await job?.stop()
        },
      )
    },
    close: () => slots.close(),
  }
}

const makeAsk = async ({ project, keyFile, endpoint }: BigqueryAddress): Promise<Ask> => {
  const { default: library, ...named } = await import('@google-cloud/bigquery')
  // A bundle has all of a CommonJS package as its default export.
  const BigQuery = named.BigQuery ?? library.BigQuery
  const client = new BigQuery({
    projectId: project,
    userAgent: 'querent',
    // About seven seconds of waiting; by default it is fifteen. A database that does not open is tried again anyway.
    retryOptions: { maxRetries: 2 },
    ...(keyFile !== null && { keyFilename: keyFile }),
    ...(endpoint !== null && { apiEndpoint: endpoint }),
  })
  // The environment can send everything elsewhere, past the check of the address.
  if (!client.baseUrl.startsWith(endpoint === null ? 'https://bigquery.' : `${endpoint}/`))
    throw wrongAddress(
      'BIGQUERY_EMULATOR_HOST is set, and would send statements there. Unset it, or write endpoint=ORIGIN in the address.',
    )
  return ({ method = 'GET', path, project: other = project, query = {}, body }) =>
    new Promise((resolve, reject) => {
      const request = {
        method,
        uri: path,
        projectId: other,
        qs: { ...query, prettyPrint: false },
        ...(body !== undefined && { json: body }),
      }
      client.request(request, (error: Error | null, answer) => {
        if (error) reject(toSqlError(error))
        else resolve(answer)
      })
    })
}

interface RunningJob extends BigqueryJob {
  readonly page: (query: Readonly<Record<string, string | number>>) => Promise<Page>
  /** Ends it in the service, and waits until it has ended. */
  readonly stop: () => Promise<void>
}

const followJob = (ask: Ask, jobId: string, location: string | null): RunningJob => {
  const place = location === null ? {} : { location }
  const isAtWork = async (): Promise<boolean> =>
    (await ask<Job>({ path: `/jobs/${jobId}`, query: place })).status?.state !== 'DONE'
  return {
    isAtWork,
    page: query =>
      ask<Page>({
        path: `/queries/${jobId}`,
        query: { ...place, ...query, 'formatOptions.useInt64Timestamp': true },
      }),
    stop: async () => {
      await ask({ method: 'POST', path: `/jobs/${jobId}/cancel`, query: place })
      // Canceling only asks for it: the job goes on until the service has got round to it.
      while (await isAtWork()) await delay(stopPollMs)
    },
  }
}

const readRows = async (
  job: RunningJob,
  limits: RunOptions,
  zone: string,
  stopping: AbortSignal,
): Promise<ResultTable> => {
  const started = performance.now()
  const cap = makeRowCap(limits)
  const rows: ResultTable['rows'][number][] = []
  let fields: readonly BigqueryField[] = []
  let pageToken: string | undefined
  const finish = (truncated: ResultTable['truncated']): ResultTable => ({
    columns: fields.map(field => ({ name: field.name, kind: kindOfField(field) })),
    rows,
    truncated,
    milliseconds: performance.now() - started,
  })
  for (let count = Math.min(firstPage, limits.maxRows + 1); ; ) {
    stopping.throwIfAborted()
    const page = await job.page({
      maxResults: count,
      timeoutMs: longestWaitMs,
      ...(pageToken !== undefined && { pageToken }),
    })
    if (page.jobComplete !== true) continue
    fields = page.schema?.fields ?? fields
    const readers = fields.map(field => toCell(field, zone))
    for (const { f } of page.rows ?? []) {
      const row = readers.map((read, at) => read(f[at]?.v))
      const cut = cap.refuse(row)
      if (cut !== null) return finish(cut)
      rows.push(row)
    }
    pageToken = page.pageToken
    if (pageToken === undefined) return finish(null)
    const meanBytes = Math.max(1, cap.bytes() / Math.max(1, cap.rows()))
    const room = Math.floor((limits.maxBytes - cap.bytes()) / meanBytes) + 1
    count = Math.max(1, Math.min(largestPage, room, limits.maxRows - cap.rows() + 1))
  }
}
