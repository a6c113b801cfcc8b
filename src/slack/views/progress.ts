import type { AnyChunk } from '@slack/types'
import type { AnswerStep } from '../../domain/answer.ts'
import { actionIds } from '../action-ids.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { escapeAndTruncate, truncateText } from '../block-kit/text.ts'

/** The lines of the timeline, in their order. */
const taskIds = ['understand', 'find-values', 'draft', 'check', 'choose'] as const

type TaskId = (typeof taskIds)[number]

const titles: Readonly<Record<TaskId, string>> = {
  understand: 'Reading the question',
  'find-values': 'Looking for values, tables and columns',
  draft: 'Writing queries',
  check: 'Checking queries against the database',
  choose: 'Comparing results',
}

/** To which line each step of the work belongs. */
const taskOfStep: Readonly<Record<AnswerStep, TaskId>> = {
  understand: 'understand',
  'find-values': 'find-values',
  link: 'find-values',
  draft: 'draft',
  check: 'check',
  choose: 'choose',
  explain: 'choose',
}

/** Slack documents no limit of a task's details; a line is enough. */
const LONGEST_DETAIL = 120

/** One line of the timeline. Several may be `in_progress` at once: one draft is checked while the next is written. */
interface Task {
  readonly id: TaskId
  readonly status: 'pending' | 'in_progress' | 'complete'
  readonly detail: string
}

/** How far a question is. */
export type Timeline = readonly Task[]

/** Work has just begun. */
export const initialTimeline: Timeline = taskIds.map((id, i) => ({
  id,
  status: i === 0 ? 'in_progress' : 'pending',
  detail: '',
}))

/** The timeline after one more event: what comes before its step is done, what comes after stays as it was. */
export const advanceTimeline = (
  timeline: Timeline,
  event: { readonly step: AnswerStep; readonly detail: string },
): Timeline => {
  const at = taskIds.indexOf(taskOfStep[event.step])
  return timeline.map((task, i) => {
    if (i < at) return { ...task, status: 'complete' }
    if (i > at) return task
    const detail = event.detail === titles[task.id] ? '' : truncateText(event.detail, LONGEST_DETAIL)
    return { ...task, status: 'in_progress', detail }
  })
}

/** The pieces of a stream that bring what it shows from one timeline to another. */
export const timelineChunks = (timeline: Timeline, shown: Timeline = []): AnyChunk[] =>
  timeline
    .filter(task => !shown.some(other => other.id === task.id && sameTask(other, task)))
    .map(({ id, status, detail }) => ({
      type: 'task_update',
      id,
      title: titles[id],
      status,
      ...(detail === '' ? {} : { details: detail }),
    }))

const sameTask = (a: Task, b: Task): boolean => a.status === b.status && a.detail === b.detail

/** `Stop`, for as long as there is something to stop. */
export const stopButtonRow = (questionId: string): SlackBlock => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      action_id: actionIds.stop,
      text: { type: 'plain_text', text: 'Stop' },
      accessibility_label: 'Stop working on this question',
      value: questionId,
    },
  ],
})

const statusSymbols: Readonly<Record<Task['status'], string>> = {
  pending: '○',
  in_progress: '◐',
  complete: '●',
}

/** The message that stands in the thread while a question is worked on; the answer takes its place. */
export const progressView = (timeline: Timeline, questionId: string): SlackMessage => {
  const current = timeline.findLast(task => task.status === 'in_progress') ?? timeline[0]
  const lines = timeline.map(({ id, status, detail }) => {
    const line = `${statusSymbols[status]} ${titles[id]}`
    return status === 'in_progress' && detail !== '' ? `${line}: ${escapeAndTruncate(detail, 600)}` : line
  })
  return {
    text: `${current ? titles[current.id] : 'Working'} …`,
    blocks: [
      { type: 'context', elements: [{ type: 'mrkdwn', verbatim: true, text: lines.join('\n') }] },
      stopButtonRow(questionId),
    ],
  }
}

/** A question that was stopped: by whom, null where nobody replied in time, and a button that asks it again. */
export const stoppedView = (question: string, by: string | null): SlackMessage => {
  const said = by ? `Stopped by <@${by}>.` : 'Stopped, because nobody replied.'
  const askable = question !== '' && question.length <= slackLimits.buttonValue
  return {
    text: said,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', verbatim: true, text: said } },
      ...(askable
        ? [
            {
              type: 'actions' as const,
              elements: [
                {
                  type: 'button' as const,
                  // An example question like any other: asked in the name of whoever clicks.
                  action_id: `${actionIds.askExample}1`,
                  text: { type: 'plain_text' as const, text: 'Ask again' },
                  value: question,
                },
              ],
            },
          ]
        : []),
    ],
  }
}
