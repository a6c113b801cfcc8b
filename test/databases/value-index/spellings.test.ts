import { beforeAll, describe, expect, it } from 'vitest'
import { makeRunInternalQuery } from '../../../src/databases/catalog/internal-query.ts'
import { profileCatalog } from '../../../src/databases/catalog/profile-catalog.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { buildValueIndex } from '../../../src/databases/value-index/build-value-index.ts'
import { collectValues } from '../../../src/databases/value-index/collect-values.ts'
import type { FindValues } from '../../../src/domain/question-context.ts'
import { makeDatabase } from '../catalog/make-database.ts'

let find: FindValues

beforeAll(async () => {
  await using made = await makeDatabase(`
    create table cities (name text, country text, code text, zip text);
    insert into cities values ('New York City', 'United States of America', 'F', '02134'),
      ('Saint Louis', 'United States of America', 'M', '63101'), ('Zürich', 'Switzerland', 'F', '8001'),
      ('São Paulo', 'Brazil', 'F', '01000'), ('Newcastle upon Tyne', 'United Kingdom', 'M', 'NE1');
    create table firms (name text, founder text, founded text, hall text);
    insert into firms values ('International Paper', 'John Smith', '1898', 'Hall Forty-Two'),
      ('Harbor Dept of Water', 'Ana Lucía Ruiz', '1999', 'Hall 7'),
      ('J.P. Barlow & Co', 'Peter Quill', '2001', '1,000 Seats'), ('IBP', 'Mary Jones', '1987', 'Batteries');
  `)
  const guard = makeGuard()
  const catalog = await profileCatalog({
    catalog: await made.connector.introspect(),
    run: made.run,
    guard,
  })
  const values = await collectValues(catalog, {
    ask: makeRunInternalQuery({ run: made.run, guard, dialect: 'sqlite' }),
  })
  find = buildValueIndex(values).find
})

describe('a keyword finds what is spelled otherwise', () => {
  it.each([
    ['case and accents', 'ZURICH', 'Zürich'],
    ['case and accents', 'sao paulo', 'São Paulo'],
    ['initials of the value', 'NYC', 'New York City'],
    ['initials of the value', 'nyc', 'New York City'],
    ['initials without the small words', 'USA', 'United States of America'],
    ['initials with points', 'U.S.A.', 'United States of America'],
    ['initials of two words, in capitals', 'UK', 'United Kingdom'],
    ['what the value is short for', 'International Brotherhood of Plumbers', 'IBP'],
    ['a first name cut short', 'J. Smith', 'John Smith'],
    ['letters without points', 'JP Barlow & Co', 'J.P. Barlow & Co'],
    ['an abbreviation in the keyword', 'St. Louis', 'Saint Louis'],
    ['an abbreviation in the keyword', 'Intl Paper', 'International Paper'],
    ['an abbreviation in the value', 'Harbor Department of Water', 'Harbor Dept of Water'],
    ['digits for words', 'hall 42', 'Hall Forty-Two'],
    ['words for digits', 'hall seven', 'Hall 7'],
    ['digits without their comma', '1000 seats', '1,000 Seats'],
    ['words for digits with a comma', 'one thousand seats', '1,000 Seats'],
    ['the singular', 'battery', 'Batteries'],
    ['other order', 'Smith John', 'John Smith'],
    ['a typo', 'Sait Louis', 'Saint Louis'],
    ['two slips', 'newcastel upn tyne', 'Newcastle upon Tyne'],
    ['a year kept as text', '1999', '1999'],
    ['a code with leading zeros', '02134', '02134'],
    ['a code of one letter', 'f', 'F'],
  ])('%s: %s', (_how, keyword, value) => {
    expect(find(keyword)[0]?.value).toBe(value)
  })

  it('but takes no small word for initials, and no number for another', () => {
    expect(find('uk').filter(({ value }) => value === 'United Kingdom')).toEqual([])
    expect(find('hall eight').filter(({ value, score }) => value === 'Hall 7' && score >= 0.8)).toEqual([])
    expect(find('1998')).toEqual([])
  })

  it('the nearer spelling comes first', () => {
    const score = (keyword: string, value: string) =>
      find(keyword).find(match => match.value === value)?.score ?? 0
    expect(score('John Smith', 'John Smith')).toBe(1)
    expect(score('J. Smith', 'John Smith')).toBeGreaterThan(score('K. Smith', 'John Smith'))
    expect(score('NYC', 'New York City')).toBeGreaterThan(score('nyc', 'New York City'))
  })
})
