import type { AnyChunk } from '@slack/types'
import type { AnswerEvent, AnswerStep } from '../../domain/answer.ts'
import { actionIds } from '../action-ids.ts'
import { buttonRow, contextBlock, type SlackMessage, sectionBlock } from '../block-kit/blocks.ts'
import { type SlackBlock, slackLimits } from '../block-kit/schema.ts'
import { escapeAndTruncate, truncateText } from '../block-kit/text.ts'
import { callShortfallNote, progressTitles, stoppedText, workingOn } from '../copy/answer.ts'
import { accessibilityLabels, labels } from '../copy/phrases.ts'

/** The lines of the timeline, in their order. */
const taskIds = ['understand', 'find-values', 'draft', 'check', 'choose'] as const

type TaskId = (typeof taskIds)[number]

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
  /** Stays in front of the details of later events. */
  readonly note?: string
}

/** How far a question is. */
export type Timeline = readonly Task[]

/** Work has just begun. */
export const initialTimeline: Timeline = taskIds.map((id, i) => ({
  id,
  status: i === 0 ? 'in_progress' : 'pending',
  detail: '',
}))

/** The timeline after one more event: earlier steps are done, later steps stay as they were. */
export const advanceTimeline = (timeline: Timeline, event: AnswerEvent): Timeline => {
  const at = taskIds.indexOf(taskOfStep[event.step])
  return timeline.map((task, i) => {
    if (i < at) return { ...task, status: 'complete' }
    if (i > at) return task
    const detail = event.detail === progressTitles[task.id] ? '' : truncateText(event.detail, LONGEST_DETAIL)
    const note = event.callShortfall ? callShortfallNote(event.callShortfall) : task.note
    return { ...task, status: 'in_progress', detail, ...(note === undefined ? {} : { note }) }
  })
}

/** The pieces that a stream needs to go from what it shows to this timeline. */
export const timelineChunks = (timeline: Timeline, shown: Timeline = []): AnyChunk[] =>
  timeline
    .filter(task => !shown.some(other => other.id === task.id && sameTask(other, task)))
    .map(task => ({
      type: 'task_update',
      id: task.id,
      title: progressTitles[task.id],
      status: task.status,
      ...(detailsOf(task) === '' ? {} : { details: detailsOf(task) }),
    }))

const sameTask = (a: Task, b: Task): boolean => a.status === b.status && detailsOf(a) === detailsOf(b)

const detailsOf = ({ note = '', detail }: Task): string =>
  [note, detail].filter(text => text !== '').join(' ')

/** `Stop`, for as long as there is something to stop. */
export const stopButtonRow = (questionId: string): SlackBlock =>
  buttonRow(questionId, [[actionIds.stop, labels.stop, { accessibility_label: accessibilityLabels.stop }]])

const statusSymbols: Readonly<Record<Task['status'], string>> = {
  pending: '○',
  in_progress: '◐',
  complete: '●',
}

/** The message in the thread while a question is worked on; the answer replaces it. */
export const progressView = (timeline: Timeline, questionId: string): SlackMessage => {
  const current = timeline.findLast(task => task.status === 'in_progress') ?? timeline[0]
  const lines = timeline.map(task => {
    const line = `${statusSymbols[task.status]} ${progressTitles[task.id]}`
    const details = task.status === 'in_progress' ? detailsOf(task) : ''
    return details === '' ? line : `${line}: ${escapeAndTruncate(details, 600)}`
  })
  return {
    text: workingOn(current ? progressTitles[current.id] : null),
    blocks: [contextBlock(lines.join('\n')), stopButtonRow(questionId)],
  }
}

/** A question that was stopped: by whom (null if nobody replied in time), and a button that asks it again. */
export const stoppedView = (question: string, by: string | null): SlackMessage => {
  const text = stoppedText(by === null ? null : `<@${by}>`)
  const canAskAgain = question !== '' && question.length <= slackLimits.buttonValue
  return {
    text,
    blocks: [
      sectionBlock(text),
      // An example question like any other: asked in the name of the person who clicks.
      ...(canAskAgain ? [buttonRow(question, [[`${actionIds.askExample}1`, labels.askAgain]])] : []),
    ],
  }
}
