import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { DuckDBInstance } from '@duckdb/node-api'
import { only, ServiceError, toServiceError } from './errors.ts'
import type { JobRequest } from './job-request.ts'
import { type BigqueryJobs, makeJobs } from './jobs.ts'
import { makeMetadata } from './metadata.ts'

/** A double of BigQuery's REST API, which runs statements on DuckDB. */
export interface BigqueryDouble {
  /** `bigquery://...`, with credentials that the double takes. */
  readonly url: string
  readonly port: number
  readonly jobs: BigqueryJobs
  /** The next job begins, but its answer is lost. */
  readonly loseNextAnswer: () => void
  /** Runs a statement of DuckDB, as an administrator. */
  readonly admin: (sql: string) => Promise<void>
  readonly close: () => Promise<void>
}

const project = 'querent-test'

/** Credentials of workload identity: the token in a file is exchanged for one of the service. */
const writeCredentials = (folder: string, origin: string): string => {
  writeFileSync(join(folder, 'subject'), 'subject-token')
  const file = join(folder, 'credentials.json')
  writeFileSync(
    file,
    JSON.stringify({
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${origin}/token`,
      credential_source: { file: join(folder, 'subject') },
    }),
  )
  return file
}

/** Starts the double. Its dataset is `harbor`. */
export const startBigquery = async (): Promise<BigqueryDouble> => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run("CREATE SCHEMA harbor; USE harbor; SET TimeZone = 'UTC'")
  const jobs = makeJobs(instance, project)
  const metadata = makeMetadata(connection, project)
  const accessToken = randomUUID()
  let isLosing = false

  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://double')
    if (pathname === '/token') {
      const form = new URLSearchParams(await text(request))
      if (form.get('subject_token') !== 'subject-token')
        throw new ServiceError(400, 'invalid_grant', 'The token is not known.')
      const issued = 'urn:ietf:params:oauth:token-type:access_token'
      return { access_token: accessToken, issued_token_type: issued, token_type: 'Bearer', expires_in: 3600 }
    }
    if (request.headers.authorization !== `Bearer ${accessToken}`)
      throw new ServiceError(401, 'authError', 'Request had invalid authentication credentials.')
    const [, owner, path] = /^\/bigquery\/v2\/projects\/([^/]+)(\/.*)$/.exec(pathname) ?? []
    if (owner !== project || path === undefined)
      throw new ServiceError(404, 'notFound', `Not found: Project ${owner ?? pathname}`)
    const known = [
      ...[
        'prettyPrint',
        'location',
        'maxResults',
        'timeoutMs',
        'pageToken',
        'formatOptions.useInt64Timestamp',
      ],
    ]
    only('parameter', searchParams.keys(), known)
    const route = `${request.method} ${path}`
    if (route === 'POST /jobs') {
      const sent = (await json(request)) as JobRequest
      const begun = await jobs.insert(sent)
      if (!isLosing || sent.configuration.dryRun) return begun
      isLosing = false
      throw new ServiceError(503, 'backendError', 'Service unavailable')
    }
    const jobId = /^(?:GET|POST) \/(?:jobs|queries)\/(querent_[\w-]+)(?:\/cancel)?$/.exec(route)?.[1]
    if (jobId !== undefined && searchParams.get('location') !== 'EU')
      throw new ServiceError(404, 'notFound', `Not found: Job ${jobId}`)
    if (jobId !== undefined && route === `GET /jobs/${jobId}`) return jobs.get(jobId)
    if (jobId !== undefined && route === `POST /jobs/${jobId}/cancel`) return jobs.cancel(jobId)
    if (jobId !== undefined && route === `GET /queries/${jobId}`) return jobs.results(jobId, searchParams)
    if (request.method === 'GET') return metadata(path, searchParams)
    throw new ServiceError(404, 'notFound', `The double knows no ${route}.`)
  }

  const server = createServer((request, response) => {
    answer(request)
      .then(body => ({ status: 200, body }))
      .catch((error: unknown) => {
        const { status, reason, message } = toServiceError(error)
        return {
          status,
          body: { error: { code: status, message, errors: [{ message, domain: 'global', reason }] } },
        }
      })
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      })
  })
  server.keepAliveTimeout = 5_000
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'bigquery-'))
  const keyFile = writeCredentials(folder, origin)
  return {
    url: `bigquery://${project}/harbor?location=EU&pricePerTiB=6.25&maxBytesBilled=1000000000&keyFile=${encodeURIComponent(keyFile)}&endpoint=${encodeURIComponent(origin)}`,
    port,
    jobs,
    loseNextAnswer: () => {
      isLosing = true
    },
    admin: async sql => {
      await connection.run(sql)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      jobs.close()
      connection.closeSync()
      instance.closeSync()
      rmSync(folder, { recursive: true })
    },
  }
}
