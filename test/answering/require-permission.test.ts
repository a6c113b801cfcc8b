import { describe, expect, it } from 'vitest'
import { makeRequireRunAccess } from '../../src/answering/require-permission.ts'
import type { Access, CheckAccess } from '../../src/domain/access/access.ts'
import type { AnswerRuns } from '../../src/domain/answer.ts'
import { noModelUsage } from '../../src/domain/operations/usage.ts'
import type { Question } from '../../src/domain/question.ts'

const question: Question = {
  id: 'q1',
  key: 'T:C:1.0',
  text: 'how many tents?',
  database: 'shop/finance',
  askedAt: new Date(0),
  timeZone: 'UTC',
  askedBy: 'U1',
}

const location = { team: 'T', channel: 'C', thread: '1.0', message: '1.0' }

/** Runs that remember that they began, behind a decision. */
const guarded = (access: Access, known: { readonly location: boolean } = { location: true }) => {
  const begun: string[] = []
  const asked: unknown[] = []
  const answered = {
    questionId: 'q1',
    outcome: { status: 'refused', why: { code: 'written', reason: 'ran', nextStep: '' } },
    candidates: [],
    usage: noModelUsage,
  } as const
  const runs: AnswerRuns = {
    start: async () => {
      begun.push('start')
      return answered
    },
    resume: async () => {
      begun.push('resume')
      return answered
    },
    trace: async () => null,
  }
  const mayAsk: CheckAccess = async (asker, options) => {
    asked.push({ ...asker, ...options })
    return access
  }
  const guard = makeRequireRunAccess({
    findPlaced: async () => (known.location ? { question, location } : null),
    mayAsk,
  })
  return { runs: guard(runs), begun, asked }
}

const refused = { status: 'refused', code: 'guest', reason: 'No guests.', nextStep: 'Ask a member.' } as const

const reply = { kind: 'option', number: 1 } as const

describe('a run', () => {
  it('starts and resumes for a person who can ask that database there', async () => {
    const { runs, begun, asked } = guarded({ status: 'allowed', database: 'shop/finance' })
    await runs.start(question)
    await runs.resume('q1', reply)
    expect(begun).toEqual(['start', 'resume'])
    const decided = {
      person: 'U1',
      location: { team: 'T', channel: 'C' },
      database: 'shop/finance',
      patience: 'patient',
    }
    expect(asked).toEqual([decided, decided])
  })

  it('neither starts nor resumes for a person without permission', async () => {
    const { runs, begun } = guarded(refused)
    const outcome = {
      status: 'refused',
      why: { code: 'written', reason: 'No guests.', nextStep: 'Ask a member.' },
    }
    expect((await runs.start(question)).outcome).toEqual(outcome)
    expect((await runs.resume('q1', reply)).outcome).toEqual(outcome)
    expect(begun).toEqual([])
  })

  it('fails if the asker is unknown', async () => {
    const unknown = guarded({
      status: 'unknown',
      database: 'shop',
      reason: 'Slack is away.',
      nextStep: 'Later.',
    })
    expect((await unknown.runs.start(question)).outcome).toMatchObject({
      status: 'failed',
      why: { code: 'written', reason: 'Slack is away.' },
    })
    const gone = guarded({ status: 'allowed', database: 'shop' }, { location: false })
    expect((await gone.runs.resume('q1', reply)).outcome.status).toBe('failed')
    expect([...unknown.begun, ...gone.begun]).toEqual([])
  })
})
