import { refuseUnknownParameters, wrongAddress } from '../http/read-address.ts'

/** A dataset with the project that it belongs to. */
export interface BigqueryDataset {
  readonly project: string
  readonly dataset: string
}

/** What a `bigquery://` address says. */
export interface BigqueryAddress {
  /** The project that statements run in, and that is billed for them. */
  readonly project: string
  /** What is found without a dataset; null if the address names none, and all datasets of the project are read. */
  readonly home: BigqueryDataset | null
  /** Datasets that are read besides. */
  readonly others: readonly BigqueryDataset[]
  /** Where the jobs run, such as EU; the service decides by the tables if null. */
  readonly location: string | null
  /** A file with credentials: of a service account or of workload identity. The environment's own if null. */
  readonly keyFile: string | null
  /** A statement that would be billed for more bytes fails in the service, and costs nothing. */
  readonly maxBytesBilled: number | null
  /** Dollars for 2^40 bytes read, to say what a statement costs. */
  readonly pricePerTiB: number | null
  readonly labels: Readonly<Record<string, string>>
  /** An address other than the service's own. */
  readonly endpoint: string | null
}

const knownParameters = [
  ...['location', 'keyFile', 'also', 'maxBytesBilled', 'pricePerTiB', 'labels', 'endpoint'],
]

const readDataset = (text: string, project: string): BigqueryDataset => {
  const [, owner = project, dataset] = /^(?:([^,]+)\.)?(\w+)$/.exec(text) ?? []
  if (dataset === undefined)
    throw wrongAddress(
      `A dataset is written shop, or project.shop where it belongs to another project, but not ${JSON.stringify(text.slice(0, 40))}.`,
    )
  return { project: owner, dataset }
}

const readNumber = (url: URL, name: string, form: RegExp, example: string): number | null => {
  const text = url.searchParams.get(name)
  if (text === null) return null
  if (!form.test(text)) throw wrongAddress(`${name} is a number, such as ${name}=${example}.`)
  return Number(text)
}

const readLabels = (text: string | null): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (text ?? '')
      .split(',')
      .filter(Boolean)
      .map(label => {
        const [, key, value] = /^([a-z][a-z0-9_-]{0,62}):([a-z0-9_-]{0,63})$/.exec(label) ?? []
        if (key === undefined || value === undefined || key.startsWith('querent'))
          throw wrongAddress(
            'labels are in lower case, such as labels=team:data,env:prod; those that begin with querent are taken.',
          )
        return [key, value] as const
      }),
  )

/** A token must not travel unencrypted, except within this machine. */
const readEndpoint = (text: string | null): string | null => {
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isLocal = url !== null && /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/.test(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)))
    throw wrongAddress('endpoint begins with https://, or with http:// for an address of this machine.')
  return url.origin
}

/**
 * Reads `bigquery://PROJECT/DATASET` and its parameters. `DATASET` can be `project.dataset`: then the first project pays
 * for what is read of the second. Throws `QuerentError('unknown-database')` for what it does not know.
 */
export const readBigqueryAddress = (address: string): BigqueryAddress => {
  const url = new URL(address)
  refuseUnknownParameters(url, knownParameters)
  if (url.hostname === '' || url.username !== '' || url.password !== '' || url.port !== '')
    throw wrongAddress('A bigquery:// address is bigquery://PROJECT/DATASET; credentials are in a keyFile.')
  const project = decodeURIComponent(url.hostname)
  const [dataset = '', ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent)
  if (rest.length > 0) throw wrongAddress('A bigquery:// address ends with /DATASET.')
  return {
    project,
    home: dataset === '' ? null : readDataset(dataset, project),
    others: (url.searchParams.get('also') ?? '')
      .split(',')
      .filter(Boolean)
      .map(text => readDataset(text, project)),
    location: url.searchParams.get('location'),
    keyFile: url.searchParams.get('keyFile'),
    maxBytesBilled: readNumber(url, 'maxBytesBilled', /^[1-9]\d{0,14}$/, '1000000000000'),
    pricePerTiB: readNumber(url, 'pricePerTiB', /^\d+(?:\.\d+)?$/, '6.25'),
    labels: readLabels(url.searchParams.get('labels')),
    endpoint: readEndpoint(url.searchParams.get('endpoint')),
  }
}
