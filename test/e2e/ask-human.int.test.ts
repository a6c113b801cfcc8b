import { describe, expect, it } from 'vitest'
import { buttons, cells, isTable } from './message-parts.ts'
import { openAnswerActions, says, withoutCargo, words } from './open-answer-actions.ts'

const {
  workspace,
  simulator,
  idOf,
  now,
  askClear,
  more,
  privately,
  modalOf,
  killAndStart,
  expectNoProblems,
} = openAnswerActions()

describe('Ask a human', () => {
  const askHuman = async (by: string) => {
    const asked = await askClear(by)
    await more(by, asked.answer, 'Ask a human')
    await privately(by, 'I asked for a review')
    const known = new Set(seen)
    const request = await simulator().until(() =>
      simulator()
        .messages()
        .find(
          message => !known.has(message.ts) && message.byBot && says(`<@${idOf(by)}> asks whether`)(message),
        ),
    )
    seen.push(request.ts)
    return { ...asked, request }
  }
  const seen: string[] = []

  it('posts question, result and SQL once in the review channel, and names who confirmed it', async () => {
    const { question, answer, request } = await askHuman('ada')
    expect(buttons(request)).toEqual(['Approve', 'Fix SQL', 'Reject', 'Show SQL'])
    expect(isTable(request)).toBe(true)
    await more('ada', answer, 'Ask a human')
    await privately('ada', 'A review was already requested')

    await simulator().click({ by: 'mira', on: request, label: 'Approve' })
    const told = await workspace().reply(question, says(`<@${idOf('mira')}> confirmed this answer`))
    expect(told.ts).not.toBe(answer.ts)
    await workspace().reply(question, says(`Confirmed by <@${idOf('mira')}>`))
    expect(buttons(now(request))).toEqual([])
    const [saved] = await workspace().watcher.rows(
      "select decided_by from querent.verified_queries where status = 'accepted' order by saved_at desc limit 1",
    )
    expect(saved).toEqual({ decided_by: idOf('mira') })

    // Of the message as it was, somebody else still clicks.
    await simulator().settled()
    expect(workspace().replies(question)).toHaveLength(2)
    expectNoProblems()
  })

  it('accepts a corrected query, and shows what the guard refuses', async () => {
    const { question, answer, request } = await askHuman('jonas')
    await simulator().click({ by: 'mira', on: request, label: 'Fix SQL' })
    await modalOf('mira')
    expect(await simulator().submitModal('mira', { sql_0: 'drop table bicycles' })).toMatchObject({
      outcome: 'errors',
    })
    expect(await simulator().submitModal('mira', { sql_0: withoutCargo })).toEqual({ outcome: 'closed' })
    await workspace().reply(question, says('corrected this answer'))
    expect(cells(now(answer))).toHaveLength(3)
    expect(words(now(answer).blocks)).toContain(`Corrected by <@${idOf('mira')}>`)
    await simulator().until(() => words(now(request).blocks).includes('corrected it'))
    expectNoProblems()
  })

  it('tells the thread why it was rejected, and takes one decision', async () => {
    const { question, request } = await askHuman('mira')
    await simulator().click({ by: 'jonas', on: request, label: 'Reject' })
    await modalOf('jonas')
    await simulator().click({ by: 'ada', on: request, label: 'Reject' })
    await modalOf('ada')
    expect(await simulator().submitModal('jonas', { reason: 'Scrapped ones are counted.' })).toEqual({
      outcome: 'closed',
    })
    expect(await simulator().submitModal('ada', { reason: 'No.' })).toMatchObject({ outcome: 'errors' })
    await simulator().closeModal('ada')
    await workspace().reply(question, says('says this answer is wrong: Scrapped ones are counted.'))
    await simulator().settled()
    expect(workspace().replies(question)).toHaveLength(2)
    expectNoProblems()
  })

  it('says in the thread when nobody can be reached, and may be asked again', async () => {
    const { question, answer } = await askClear('jonas')
    const asked = () =>
      simulator()
        .messages()
        .filter(says(`<@${idOf('jonas')}> asks whether`)).length
    const before = asked()
    simulator().setFaults([{ method: 'chat.postMessage', times: 1, kind: 'error', error: 'not_in_channel' }])
    await more('jonas', answer, 'Ask a human')
    await workspace().reply(question, says('I am not in the review channel'))
    await workspace().watcher.until(
      `select 1 where not exists (select from querent.human_requests r join querent.questions q on q.id = r.question_id
       where q.place ->> 'message' = $1)`,
      [question.ts],
    )
    await more('jonas', answer, 'Ask a human')
    await simulator().until(() => asked() === before + 1)
    expectNoProblems()
  })

  it('continues after the bot was killed', async () => {
    const { question, request } = await askHuman('ada')
    await killAndStart()
    await simulator().click({ by: 'mira', on: request, label: 'Approve' })
    await workspace().reply(question, says('confirmed this answer'))
    expectNoProblems()
    // A whole bot starts in between.
  }, 90_000)
})
