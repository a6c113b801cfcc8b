import { sampleCompany } from '../src/bootstrap/databases/databases.ts'

/** What a demo says once it can be asked. A question is proposed only where it is known to be answered. */
export const formatReadyMessage = ({
  url,
  database,
  tables,
  seconds,
}: {
  readonly url: string
  readonly database: string
  readonly tables: number
  /** Since it was started, for people. */
  readonly seconds: string
}): readonly string[] => [
  `\n  Querent in a Slack simulator: ${url}\n`,
  `  ${database}: ${tables} ${tables === 1 ? 'table' : 'tables'}; ready after ${seconds} s. Ctrl-C stops it.`,
  database === sampleCompany
    ? '  Try in #sales: @querent how many orders were placed last month by region?\n'
    : '  Try one of the questions on the Home tab of querent, or mention @querent in #sales.\n',
]
