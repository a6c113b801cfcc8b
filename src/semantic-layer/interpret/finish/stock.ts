import { DateTime } from 'luxon'
import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { refOf } from '../draft/query-draft.ts'
import { type Build, cueOf } from './build.ts'
import { dateCalled } from './duration-ends.ts'

const ends = 'left canceled cancelled churned terminated ended end closed departed discharged retired'

/**
 * "How many clients did we have at the end of last year": those who had come by then and had not gone. Takes the period
 * away, since nothing happened in it.
 */
export const readStock = (build: Build, home: SemanticModel): void => {
  const asOf = cueOf(build, 'as-of')
  const { period } = build
  const begun = home.dimensions.find(({ name }) => name === home.timeDimension)
  const ended = dateCalled(home, ends)
  const day = asOf?.cue.edge === 'start' ? period?.from : period?.until
  if (!asOf || !period || !day || !begun || !ended || begun.name === ended.name) return
  // The last day of a period that is still running is today.
  const tomorrow = DateTime.fromISO(build.context.today).plus({ days: 1 }).toISODate() ?? day
  const until = day < tomorrow ? day : tomorrow
  const at = refOf(home, ended)
  build.filters.push(
    { filter: { kind: 'period', at: refOf(home, begun), from: null, until, negated: false }, at: asOf.at },
    {
      filter: {
        kind: 'any',
        filters: [
          { kind: 'missing', at, negated: false },
          { kind: 'period', at, from: until, until: null, negated: false },
        ],
      },
      at: asOf.at,
    },
  )
  build.period = null
  build.used.add('as-of')
}
