import type { Outcome } from '../../../src/core/answer.ts'
import type { Candidate } from '../../../src/core/candidate.ts'
import type { Catalog } from '../../../src/core/catalog.ts'
import { sqlReferences } from '../../../src/sql/sql-references.ts'

type Refused = Extract<Outcome, { status: 'refused' }>

/** Periods that are offered, the longest first. */
const periods = ['in the last 30 days', 'in the last 7 days', 'yesterday']

/**
 * What could be asked in place of a heavy question: the same over less time, where one of its tables has dates and the
 * question names no period itself.
 */
export const narrower = (given: {
  readonly heavy: Pick<Candidate, 'sql'>
  readonly question: string
  readonly namesPeriod: boolean
  readonly catalog: Catalog
}): Refused => {
  const hasDates = !given.namesPeriod && readsDates(given.heavy.sql, given.catalog)
  const plain = given.question.trim().replace(/[\s.?!]+$/, '')
  return {
    status: 'refused',
    reason: 'I did not run it. Something smaller may be read at once.',
    nextStep: hasDates
      ? `Ask one of these, or say it with a filter of your own: one region, one customer, one kind. ${askedAgain}`
      : `Ask it again with less: a shorter period, one region, one customer, one kind. ${askedAgain}`,
    nearest: hasDates ? periods.map(period => `${plain} ${period}?`) : [],
  }
}

const askedAgain = 'Should it still read much, I ask again before I run it.'

const readsDates = (sql: string, { tables, dialect }: Catalog): boolean => {
  const read = new Set(sqlReferences(sql, dialect)?.tables.map(({ name }) => name.toLowerCase()))
  return tables.some(
    ({ name, columns }) =>
      read.has(name.toLowerCase()) && columns.some(({ kind }) => kind === 'date' || kind === 'timestamp'),
  )
}

/** What a person has called off, or nobody has agreed to. */
export const notRun = (isExpired: boolean): Refused => ({
  status: 'refused',
  reason: isExpired ? 'I did not run it: nobody said that I should.' : 'I did not run it, as you chose.',
  nextStep: 'Ask again whenever you like, with less to read or to have it run after all.',
})

/**
 * Where somebody has been asked already, and the new words are as heavy. A question is asked back once, so what was meant
 * is offered as a question of its own, which asks before it is run.
 */
export const stillHeavy = (heavy: Pick<Candidate, 'run'>, question: string): Refused => ({
  status: 'refused',
  reason: heavy.run?.status === 'failed' ? heavy.run.message : 'This would read too much.',
  nextStep: 'Ask it as a new question, and choose there to have it run. Or ask it with less to read.',
  nearest: [question],
})
