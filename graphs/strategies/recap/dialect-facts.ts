import type { DialectTopic } from '../../../src/domain/strategies/recap.ts'
import { databaseDialect } from '../../../src/sql/dialects.ts'
import type { DatabaseDialect } from '../../../src/sql/sql-dialect.ts'

/** What the dialect retriever finds: how this database writes what the topics are about. Empty for no topics. */
export const describeDialectTopics = (dialect: string, topics: readonly DialectTopic[]): string => {
  const rules = databaseDialect(dialect)
  return [...new Set(topics)].flatMap(topic => facts[topic](rules).map(fact => `- ${fact}`)).join('\n')
}

const caseFacts: Readonly<Record<DatabaseDialect['rendering']['ignoresCase'], string>> = {
  ilike: 'ILIKE ignores case, LIKE does not.',
  like: 'There is no ILIKE; LIKE ignores case.',
  lower: 'There is no ILIKE, and LIKE does not ignore case: compare lower(x) with a text in lower case.',
}

/** Facts are written with the rules that render our own statements, so they are true of the database. */
const facts: Readonly<Record<DialectTopic, (dialect: DatabaseDialect) => readonly string[]>> = {
  dates: ({ rendering: { truncate, datePart, shift, quoteText } }) => [
    `The start of the period that a timestamp t lies in: ${listed(
      (['day', 'week', 'month', 'quarter', 'year'] as const).map(unit => [
        unit,
        truncate(unit, 't', 'local', 'UTC'),
      ]),
    )}.`,
    `Parts of a timestamp t as numbers: ${listed([
      ['weekday from 1 for Monday', datePart('weekday', 't', 'local', 'UTC')],
      ['hour', datePart('hour', 't', 'local', 'UTC')],
      ['month', datePart('month-of-year', 't', 'local', 'UTC')],
    ])}.`,
    `Days later and earlier, from a day d: ${listed([
      ['7 days later', shift('d', 7, 'day')],
      ['3 months earlier', shift('d', -3, 'month')],
      ['a year later', shift('d', 1, 'year')],
    ])}.`,
    `A day is written ${quoteText('2026-01-31')}. Test a period with >= its first day and < the day after its last.`,
  ],
  durations: ({ rendering: { elapsed } }) => [
    `Time between timestamps a and b: ${listed(
      (['day', 'hour', 'minute', 'second'] as const).map(unit => [
        `${unit}s`,
        elapsed(unit, 'a', 'b', 'local'),
      ]),
    )}.`,
    `Days between dates a and b: ${elapsed('day', 'a', 'b', 'date')}.`,
  ],
  text: ({ rendering: { quoteText, ignoresCase }, grammar: { hasGlob }, repair: { castTo }, names }) => [
    `A text with an apostrophe: ${quoteText("it's")}. A name with a space: ${names.quote('two words')}.`,
    caseFacts[ignoresCase],
    ...(hasGlob ? ['GLOB matches with * and ?, and with case.'] : []),
    `Casts: CAST(x AS ${castTo.text}) to a text, CAST(x AS ${castTo.numeric}) to a number.`,
  ],
  nulls: ({ rendering: { nullsLastWhen, hasNullsLast, nullSafeEquals } }) => [
    `NULLs come last in ${nullsLastWhen === 'asc' ? 'ascending' : 'descending'} order and first in the other.`,
    hasNullsLast
      ? 'NULLS LAST after a sort key puts them last.'
      : 'There is no NULLS LAST: sort by x IS NULL first.',
    `Equal, or both NULL: ${nullSafeEquals('a', 'b')}.`,
  ],
  division: ({ rendering: { ratio, average } }) => [
    `A ratio of whole numbers with its decimals, NULL for a zero denominator: ${ratio('a', 'b')}.`,
    `A mean with its decimals: ${average('a')}.`,
  ],
  statistics: ({ rendering: { percentile }, scope }) => [
    percentile === null
      ? 'There is no function for medians: number the rows with ROW_NUMBER() and average those in the middle.'
      : `The median of x: ${percentile(0.5, 'x')}.`,
    'Window functions work: ROW_NUMBER() OVER (PARTITION BY a ORDER BY b), SUM(x) OVER (ORDER BY b), LAG(x) OVER (ORDER BY b).',
    `A series of rows comes from WITH RECURSIVE${scope.withIsRecursive ? '; RECURSIVE can be left out' : ''}.`,
  ],
  functions: ({ guard }) => [
    `These functions can be called, and no others: ${[...guard.functions].sort().join(', ')}.`,
  ],
}

const listed = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([what, sql]) => `${what} ${sql}`).join('; ')
