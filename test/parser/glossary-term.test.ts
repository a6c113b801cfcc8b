import { describe, expect, it } from 'vitest'
import type { Catalog } from '../../src/domain/catalog.ts'
import type { FindValues } from '../../src/domain/question-context.ts'
import { makeParseQuestion } from '../../src/parser/interpret-question.ts'
import { trainedModel } from '../../src/parser/rank/model.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { oneLine } from '../helpers/one-line.ts'
import { findLibraryValues, libraryCatalog } from './library.ts'
import { clock } from './read.ts'

const plain = libraryCatalog('sqlite')

/** The library with a code for how soon a loan is wanted, whose comment says what the numbers stand for. */
const catalog: Catalog = {
  ...plain,
  tables: plain.tables.map(table => {
    const [like] = table.columns
    return table.name === 'loans' && like
      ? {
          ...table,
          columns: [...table.columns, { ...like, name: 'haste', comment: '1 express, 2 normal, 3 patient.' }],
        }
      : table
  }),
}

/** As the value index does where the glossary has the term “express loan”. */
const findValues: FindValues = (keyword, options) =>
  /^express loans?$/i.test(keyword)
    ? [{ keyword, table: 'loans', column: 'haste', value: '1', score: 1, term: 'express loan' }]
    : findLibraryValues(keyword, options)

const parse = makeParseQuestion(trainedModel)

const read = (question: string, find: FindValues) =>
  parse({ understanding: understandQuestion(question, clock), catalog, findValues: find })

describe('a term of the glossary', () => {
  const question = 'how many express loans are there?'

  it('means its value', () => {
    const [first] = read(question, findValues)
    expect(oneLine(first?.sql ?? '')).toBe('SELECT COUNT(*) AS number_of_loans FROM loans WHERE haste = 1')
  })

  it('leaves nothing for the comment of its column to say', () => {
    const sums = (find: FindValues) => read(question, find).filter(({ sql }) => /\(haste\)/.test(sql))
    expect(sums(findLibraryValues)).not.toEqual([])
    expect(sums(findValues)).toEqual([])
  })
})
