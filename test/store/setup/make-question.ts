import { randomUUID } from 'node:crypto'
import type { Question } from '../../../src/domain/question.ts'

/** A question as somebody asked it; its id and key are new each time. */
export const makeQuestion = (given: Partial<Question> = {}): Question => {
  const id = randomUUID()
  return {
    id,
    key: `T1:C1:${id}`,
    text: 'how many bikes were sold in May?',
    database: 'warehouse',
    askedAt: new Date('2026-06-03T09:30:00.250Z'),
    timeZone: 'Europe/Berlin',
    askedBy: 'U7',
    ...given,
  }
}
