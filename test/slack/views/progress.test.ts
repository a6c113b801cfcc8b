import { describe, expect, it } from 'vitest'
import { checkMessage } from '../../../src/slack/block-kit/blocks.ts'
import {
  advanceTimeline,
  initialTimeline,
  progressView,
  stoppedView,
  type Timeline,
  timelineChunks,
} from '../../../src/slack/views/progress.ts'

const drafting = advanceTimeline(initialTimeline, { step: 'draft', detail: 'Drafting: <semantic parser>' })

const statuses = (timeline: Timeline) => timeline.map(({ status }) => status)

describe('a timeline', () => {
  it('has what comes before a step done', () => {
    expect(statuses(initialTimeline)).toEqual(['in_progress', 'pending', 'pending', 'pending', 'pending'])
    expect(statuses(drafting)).toEqual(['complete', 'complete', 'in_progress', 'pending', 'pending'])
  })

  it('may have several steps under way, as when another round of drafts begins', () => {
    const checking = advanceTimeline(drafting, { step: 'check', detail: 'Checking p1' })
    expect(statuses(advanceTimeline(checking, { step: 'draft', detail: 'Looking again' }))).toEqual([
      'complete',
      'complete',
      'in_progress',
      'in_progress',
      'pending',
    ])
  })

  it('counts choosing tables with finding values, and writing the answer with choosing', () => {
    expect(statuses(advanceTimeline(initialTimeline, { step: 'link', detail: '' }))[1]).toBe('in_progress')
    expect(statuses(advanceTimeline(initialTimeline, { step: 'explain', detail: '' }))[4]).toBe('in_progress')
  })

  it('is streamed as what changed', () => {
    expect(timelineChunks(initialTimeline)).toHaveLength(5)
    expect(timelineChunks(initialTimeline, initialTimeline)).toEqual([])
    expect(timelineChunks(drafting, initialTimeline)).toEqual([
      expect.objectContaining({ id: 'understand', status: 'complete' }),
      expect.objectContaining({ id: 'find-values', status: 'complete' }),
      expect.objectContaining({
        id: 'draft',
        status: 'in_progress',
        details: 'Drafting: <semantic parser>',
      }),
    ])
  })

  it('keeps saying that the model calls may not be enough', () => {
    const told = advanceTimeline(drafting, {
      ...{ step: 'draft', detail: '' },
      callShortfall: { estimated: 31, allowed: 20 },
    } as const)
    const later = advanceTimeline(told, { step: 'draft', detail: 'Drafting: query-plan' })
    const note = 'This may need 31 model calls, but only 20 are allowed.'
    expect(timelineChunks(told, drafting)).toMatchObject([{ id: 'draft', details: note }])
    expect(timelineChunks(later, told)).toMatchObject([{ details: `${note} Drafting: query-plan` }])
    expect(JSON.stringify(progressView(later, 'q1'))).toContain(`${note} Drafting: query-plan`)
  })

  it('says each line in few words, whatever it is told', () => {
    const long = advanceTimeline(initialTimeline, { step: 'check', detail: 'x'.repeat(5_000) })
    expect(checkMessage(progressView(long, 'q1'))).toEqual([])
  })
})

describe.each([
  ['working', progressView(drafting, 'q1')],
  ['stopped', stoppedView('how many tents?', 'U1')],
  ['stopped by nobody, without words', stoppedView('', null)],
])('the view %s', (_, message) => {
  it('passes every limit of Slack', () => {
    expect(checkMessage(message)).toEqual([])
  })

  it('looks as it did', () => {
    expect(message).toMatchSnapshot()
  })
})

it('a question too long for a button is not offered again', () => {
  expect(stoppedView('x'.repeat(2_001), 'U1').blocks).toHaveLength(1)
})
