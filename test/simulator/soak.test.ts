import { describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { judgeQuestion } from '../../simulator/soak/judge-soak.ts'
import { planSoak } from '../../simulator/soak/soak-plan.ts'

const options = { questions: 200, kills: 10, seed: 1, share: 0.2 }

describe('the plan of a fault run', () => {
  it('is drawn from its seed', () => {
    expect(planSoak(options)).toEqual(planSoak(options))
    expect(planSoak(options)).not.toEqual(planSoak({ ...options, seed: 2 }))
  })

  it('has everybody ask everything everywhere, and a kill in every part of the run', () => {
    const { questions, kills } = planSoak(options)
    expect(questions).toHaveLength(200)
    expect(new Set(questions.map(({ by }) => by)).size).toBe(3)
    expect(new Set(questions.map(({ channel }) => channel)).size).toBe(4)
    expect(new Set(questions.map(({ text }) => text.replace('@querent', '').trim())).size).toBe(8)
    expect(kills.map(({ afterEnded }) => Math.floor(afterEnded / 20))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

describe('the judge of a fault run', () => {
  const planned = { by: 'ada', channel: '#sales', text: 'how many?', reply: 'click', pause: 0 } as const
  const message = (given: Partial<RecordedMessage>): RecordedMessage => ({
    channel: 'C1',
    ts: '2.0',
    threadTs: '1.0',
    author: 'U0',
    byBot: true,
    text: 'Two',
    blocks: [{ type: 'section' }],
    files: [],
    metadata: null,
    onlyFor: null,
    edited: true,
    deleted: false,
    stream: null,
    history: [],
    ...given,
  })
  const stored = { id: 'q1', status: 'answered', ts: '2.0' }
  const doubt = `{"msg":"unknown whether the first message was posted; posting it again","questionId":"q1"}`

  it('counts one message that shows the end', () => {
    expect(judgeQuestion(planned, stored, [message({})], [])).toMatchObject({
      verdict: 'once',
      duplicates: 0,
    })
  })

  it('counts messages beyond the one, and those that the bot told of', () => {
    const replies = [message({ ts: '1.5' }), message({})]
    expect(judgeQuestion(planned, stored, replies, [])).toMatchObject({
      verdict: 'twice',
      duplicates: 1,
      explained: 0,
    })
    expect(judgeQuestion(planned, stored, replies, [doubt])).toMatchObject({ explained: 1 })
  })

  it.each([
    ['none is there', stored, []],
    [
      'it still can be stopped',
      stored,
      [message({ blocks: [{ type: 'actions', elements: [{ action_id: 'stop_question' }] }] })],
    ],
    [
      'it still asks',
      stored,
      [message({ blocks: [{ type: 'actions', elements: [{ action_id: 'clarify_else' }] }] })],
    ],
    [
      'it still streams',
      stored,
      [message({ stream: { state: 'streaming', markdown: '', planTitle: null, tasks: [] } })],
    ],
    ['it says that work goes on', stored, [message({ text: 'Writing queries …' })]],
    ['the store knows of no end', { ...stored, status: 'working' }, [message({})]],
    ['it is not the one that the store knows', { ...stored, ts: '3.0' }, [message({})]],
  ] as const)('calls a question unanswered when %s', (_, row, replies) => {
    expect(judgeQuestion(planned, row, replies, []).verdict).toBe('unanswered')
  })

  it('calls a question unheard that is not in the store', () => {
    expect(judgeQuestion(planned, null, [], []).verdict).toBe('unheard')
  })
})
