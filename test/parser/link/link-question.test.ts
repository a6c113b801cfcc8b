import { describe, expect, it } from 'vitest'
import type { LinkedSpan } from '../../../src/parser/link/linked-span.ts'
import { trainedModel } from '../../../src/parser/rank/model.ts'
import { indexSchema } from '../../../src/parser/schema/index-schema.ts'
import { makeSearchContext } from '../../../src/parser/search/search-context.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { findLibraryValues, libraryCatalog } from '../library.ts'
import { clock } from '../read.ts'

const schema = indexSchema(libraryCatalog('sqlite'))

const describeSpan = (span: LinkedSpan): string => {
  switch (span.kind) {
    case 'column':
      return `${span.column.table.table.name}.${span.column.column.name}`
    case 'table':
      return span.table.table.name
    case 'value':
      return `${span.column.table.table.name}.${span.column.column.name} = ${span.value}`
    case 'cue':
      return `(${span.cue.kind})`
    default:
      return span.kind
  }
}

/** What the whole of some words may mean, best first as the search sees it. */
const linksOf = (words: string): readonly string[] => {
  const understanding = understandQuestion(words, clock)
  const { lattice, tokens } = makeSearchContext(
    understanding,
    schema,
    findLibraryValues,
    trainedModel.weights,
  )
  const whole = lattice.startingAt.flat().filter(span => span.start === 0 && span.end === tokens.length)
  return [...new Set(whole.map(describeSpan))].toSorted()
}

describe('what words are linked to', () => {
  it.each([
    ['genre', ['books.genre']],
    ['genre of books', ['books.genre']],
    ['birth year', ['authors.birth_year']],
    ['born', ['authors.birth_year']],
    ['email', ['members.email']],
    ['crime', ['books.genre = crime']],
    ['Irish', ['authors.nationality = Irish']],
    ['average', ['(aggregate)']],
    ['fewer than', ['(compare)']],
    // Only comments say these.
    ['takings', ['loans.fine_cents']],
    ['part', ['branches.district']],
  ])('%s', (words, links) => {
    expect(linksOf(words)).toEqual(links)
  })

  it('are all columns that hold a value', () => {
    expect(linksOf('Elmford')).toEqual([
      'loans.delivery_town = Elmford',
      'loans.pickup_town = Elmford',
      'members.town = Elmford',
    ])
  })

  it('are all columns of a name', () => {
    expect(linksOf('town')).toEqual(['loans.delivery_town', 'loans.pickup_town', 'members.town'])
  })

  it('are nothing where the schema has no such word', () => {
    expect(linksOf('telescope')).toEqual([])
  })
})
