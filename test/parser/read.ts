import type { Interpretation } from '../../src/domain/interpretation.ts'
import { makeParseQuestion } from '../../src/parser/interpret-question.ts'
import { trainedModel } from '../../src/parser/rank/model.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { oneLine } from '../helpers/one-line.ts'
import { findLibraryValues, libraryCatalog } from './library.ts'

const parse = makeParseQuestion(trainedModel)

const catalogs = { sqlite: libraryCatalog('sqlite'), postgres: libraryCatalog('postgres') }

/** Friday, 20 November 2026, in Berlin. */
export const clock = { now: () => new Date('2026-11-20T11:00:00Z'), timeZone: 'Europe/Berlin' }

/** Readings of a question over the library, with the model that ships. */
export const read = (
  question: string,
  dialect: 'sqlite' | 'postgres' = 'sqlite',
): readonly Interpretation[] =>
  parse({
    understanding: understandQuestion(question, clock),
    catalog: catalogs[dialect],
    findValues: findLibraryValues,
  })

/** The first reading's SQL on one line. */
export const readFirst = (
  question: string,
  dialect: 'sqlite' | 'postgres' = 'sqlite',
): string | undefined => {
  const [first] = read(question, dialect)
  return first && oneLine(first.sql)
}
