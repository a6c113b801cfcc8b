import { describe, expect, it } from 'vitest'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { makeQuestion } from '../setup/make-question.ts'
import { openTestStore } from '../setup/open-test-store.ts'

describe.each(postgresServers('home_questions'))('questions that App Home shows, on the %s server', on => {
  it('are those of a person or that failed, without what was taken back', async () => {
    const opened = await openTestStore({ on })
    await using _ = opened
    const { repositories, questionLog } = opened.store
    const fail = async (message: string, text: string, askedBy: string) => {
      const question = makeQuestion({ text, askedBy })
      const place = { team: 'T', channel: 'C', thread: message, message }
      await repositories.questions.insert(question, place)
      await questionLog.begin(question.id, ['queued'])
      await questionLog.storeReport({
        questionId: question.id,
        outcome: { status: 'failed', why: { code: 'written', reason: `no ${text}`, nextStep: '' } },
        candidates: [],
        usage: { modelCalls: 0, promptTokens: 0, completionTokens: 0 },
      })
      return question.id
    }
    await fail('1.0', 'tents', 'U1')
    await fail('2.0', 'boats', 'U2')
    await repositories.questions.withdraw(await fail('3.0', 'deleted', 'U1'))

    const { homeQuestions } = repositories
    const own = await homeQuestions.listOf({ person: 'U1', team: 'T' }, 5)
    expect(own.map(({ text, status }) => [text, status])).toEqual([['tents', 'failed']])
    expect(await homeQuestions.listOf({ person: 'U1', team: 'T9' }, 5)).toEqual([])
    const failed = await homeQuestions.listFailed('T', 5)
    expect(failed.map(({ text, reason }) => [text, reason])).toEqual([
      ['boats', 'no boats'],
      ['tents', 'no tents'],
    ])
    expect(await homeQuestions.listFailed('T', 1)).toHaveLength(1)
  })
})
