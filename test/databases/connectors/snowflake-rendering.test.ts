import { describe, expect, it } from 'vitest'
import { snowflake } from '../../../src/databases/connectors/snowflake/dialect.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeColumn } from '../../helpers/make-column.ts'

const { rendering, measuring, rights, names, repair } = snowflake

const guard = makeGuard()

const units = ['day', 'week', 'month', 'quarter', 'year'] as const

const types = ['date', 'local', 'instant', 'text'] as const

describe('what is written for Snowflake', () => {
  it('passes its own guard, whatever the unit and the type', () => {
    const column = (type: string, kind: 'text' | 'json') => makeColumn('a', { type, kind })
    const expressions = [
      ...units.flatMap(unit => types.map(type => rendering.truncate(unit, 'd', type, 'Europe/Oslo'))),
      ...types.flatMap(type =>
        (['weekday', 'hour', 'month-of-year'] as const).map(part =>
          rendering.datePart(part, 'd', type, 'UTC'),
        ),
      ),
      ...types.flatMap(type =>
        (['second', 'minute', 'hour', 'day'] as const).map(unit => rendering.elapsed(unit, 'd', 'e', type)),
      ),
      ...units.map(unit => rendering.shift('CURRENT_DATE', -3, unit)),
      ...(['date', 'local', 'instant'] as const).map(type => rendering.moment('2026-01-01', type, 'UTC')),
      rendering.ratio('a', 'b'),
      rendering.percentile?.(0.9, 'a') ?? '',
      rendering.average('a'),
      rendering.nullSafeEquals('a', 'b'),
      measuring.asText(column('VARIANT', 'json'), 'a'),
      measuring.asText(column('GEOGRAPHY', 'json'), 'a'),
      measuring.asText(column('TEXT', 'text'), 'a'),
      measuring.matchesShape('a', 'number', '^\\d+$'),
      rights.hash('a', { inner: '36', outer: '5c' }),
      rights.lastFour('a', true),
      rights.bucket('a', 10, 'NUMBER'),
      ...(
        [
          { does: 'part', unit: 'year', of: 'd' },
          { does: 'format', of: 'd', pattern: '%Y-%m' },
          { does: 'truncate', unit: 'month', of: 'd' },
          { does: 'difference', unit: 'day', from: 'd', to: 'e', counts: 'whole' },
          { does: 'difference', unit: 'month', from: 'd', to: 'e', counts: 'changes' },
          { does: 'shift', of: 'd', amount: 3, unit: 'month' },
          { does: 'julian', of: 'd' },
          { does: 'join-texts', of: 'a', isDistinct: true, separator: "', '" },
          { does: 'find', text: "'x'", within: 'a' },
        ] as const
      ).map(operation => repair.writeOperation(operation) ?? 'unwritten()'),
    ]
    const refused = expressions.filter(sql => guard(`SELECT ${sql} FROM t`, 'snowflake').verdict !== 'allow')
    expect(refused).toEqual([])
  })

  it('begins weeks on Monday whatever the account says, and days on the clock of the zone', () => {
    expect(rendering.truncate('week', 'D', 'date', 'UTC')).toBe('DATEADD(day, 1 - DAYOFWEEKISO(D), D)')
    expect(rendering.truncate('day', 'D', 'instant', 'Europe/Oslo')).toBe(
      "CAST(CONVERT_TIMEZONE('Europe/Oslo', D) AS date)",
    )
  })

  it('quotes names only where they are not upper case, and escapes backslashes in texts', () => {
    expect(['ORDERS', 'ORDER_ID2'].every(name => names.bare.test(name))).toBe(true)
    expect(['orders', 'Odd Name', '2X'].some(name => names.bare.test(name))).toBe(false)
    expect(names.quote('Odd "Name"')).toBe('"Odd ""Name"""')
    expect(rendering.quoteText("it's a\\b")).toBe("'it''s a\\\\b'")
  })
})
