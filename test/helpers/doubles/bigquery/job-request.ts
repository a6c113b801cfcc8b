import { only, ServiceError } from './errors.ts'

/** What `jobs.insert` is sent. */
export interface JobRequest {
  readonly configuration: {
    readonly dryRun?: boolean
    readonly jobTimeoutMs: string
    readonly labels: Readonly<Record<string, string>>
    readonly query: {
      readonly query: string
      readonly useLegacySql: boolean
      readonly maximumBytesBilled?: string
      readonly defaultDataset?: { readonly projectId: string; readonly datasetId: string }
      readonly connectionProperties: readonly { readonly key: string; readonly value: string }[]
    }
  }
  readonly jobReference: { readonly projectId: string; readonly jobId?: string; readonly location?: string }
}

const invalid = (message: string): ServiceError => new ServiceError(400, 'invalid', message)

/** The rules of the reference for labels. International letters are allowed too, but we write none. */
const checkLabels = (labels: Readonly<Record<string, unknown>>): void => {
  if (Object.keys(labels).length > 64) throw invalid('There are more than 64 labels.')
  for (const [key, value] of Object.entries(labels))
    if (
      !/^[a-z][a-z0-9_-]{0,62}$/.test(key) ||
      typeof value !== 'string' ||
      !/^[a-z0-9_-]{0,63}$/.test(value)
    )
      throw invalid(`The label ${key} breaks the rules.`)
}

/** Refuses what the reference does not have, and what the connector is never to send: the service ignores some of it. */
export const checkJobRequest = (request: JobRequest, project: string): void => {
  only('key', Object.keys(request), ['configuration', 'jobReference'])
  const { configuration, jobReference } = request
  only('key of a configuration', Object.keys(configuration), ['dryRun', 'jobTimeoutMs', 'labels', 'query'])
  only('key of a reference', Object.keys(jobReference), ['projectId', 'jobId', 'location'])
  const { query, jobTimeoutMs, dryRun = false } = configuration
  only('key of a query', Object.keys(query), [
    ...['query', 'useLegacySql', 'maximumBytesBilled', 'defaultDataset', 'connectionProperties'],
  ])
  only('key of a dataset', Object.keys(query.defaultDataset ?? {}), ['projectId', 'datasetId'])
  const properties = query.connectionProperties.map(({ key }) => key)
  if (properties.join() !== 'time_zone') throw invalid('The time zone, and nothing else, must be a property.')
  // 64-bit numbers are texts in the API's JSON.
  const isNumber = (text: unknown): boolean => typeof text === 'string' && /^[1-9]\d*$/.test(text)
  if (!isNumber(jobTimeoutMs) || !isNumber(query.maximumBytesBilled ?? '1'))
    throw invalid('A limit must be a whole number in a text.')
  if (query.useLegacySql !== false || typeof query.query !== 'string' || typeof dryRun !== 'boolean')
    throw invalid('The double takes standard SQL only.')
  if (jobReference.projectId !== project || (jobReference.location ?? 'EU') !== 'EU')
    throw invalid('The double has one project, in the EU.')
  if (!/^[\w-]{1,1024}$/.test(jobReference.jobId ?? 'none'))
    throw invalid('The ID of the job breaks the rules.')
  checkLabels(configuration.labels)
}
