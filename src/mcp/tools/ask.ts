import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Outcome } from '../../domain/answer.ts'
import { readableOptions } from '../../domain/answer-wording/clarifications.ts'
import { unansweredText } from '../../domain/answer-wording/unanswered.ts'
import type { Clarification, ClarificationReply } from '../../domain/clarification.ts'
import type { CallerAnswer, CallerRunOptions } from '../../domain/operations/caller.ts'
import type { ResultTable } from '../../domain/result.ts'
import { errorCopy, resultCopy, toolCopy } from '../copy.ts'
import { inertMarkdown, plainText, sqlLines, tableData, tableLines } from '../render.ts'
import { askPerson } from './ask-person.ts'
import {
  addTool,
  databaseArgument,
  errorResult,
  notAllowedResult,
  type ToolCall,
  type ToolDeps,
  textResult,
} from './tool.ts'

const MOST_QUESTION_CHARACTERS = 4_000

/** A question may ask back again after a reply, but not without end. */
const MOST_REPLIES = 3

const questionId = z.string().min(1).max(100).describe(toolCopy.reply.questionId)

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

const list = z.array(z.string())

/** What `ask` and `reply` return as data. */
const answerOutput = {
  status: z.enum(['answered', 'needs-clarification', 'refused', 'failed', 'working']),
  questionId: z.string(),
  database: z.string(),
  headline: z.string().optional(),
  columns: z.array(z.object({ name: z.string(), label: z.string(), unit: z.string().nullable() })).optional(),
  rows: z.array(z.array(cell)).optional(),
  rowCount: z.number().optional(),
  truncated: z.boolean().optional(),
  confidence: z.number().optional(),
  assumptions: list.optional(),
  alternatives: list.optional(),
  sql: z.string().optional(),
  question: z.string().optional(),
  options: z.array(z.object({ number: z.number(), label: z.string(), hint: z.string() })).optional(),
  defaultOption: z.number().optional(),
  reason: z.string().optional(),
  nextStep: z.string().optional(),
  examples: list.optional(),
  whoToAsk: z.string().optional(),
} as const

/** `ask` and `reply`: a question in plain words, with its question back. */
export const addAskTools = (deps: ToolDeps): void => {
  const { useCases } = deps
  addTool(deps, {
    name: 'ask',
    ...{ title: toolCopy.ask.title, description: toolCopy.ask.description },
    input: {
      question: z.string().min(1).max(MOST_QUESTION_CHARACTERS).describe(toolCopy.ask.question),
      database: databaseArgument,
      follows: z.string().min(1).max(100).optional().describe(toolCopy.ask.follows),
    },
    output: answerOutput,
    run: async ({ question: text, database, follows }, call) => {
      const asked = { text, database: database ?? null, ...(follows !== undefined && { follows }) }
      const options = runOptions(deps, call)
      return showAnswer(deps, call, await useCases.ask(call.caller, asked, options), options)
    },
  })
  addTool(deps, {
    name: 'reply',
    ...{ title: toolCopy.reply.title, description: toolCopy.reply.description },
    input: {
      questionId,
      option: z.int().min(1).max(20).optional().describe(toolCopy.reply.option),
      text: z.string().max(MOST_QUESTION_CHARACTERS).optional().describe(toolCopy.reply.text),
    },
    output: answerOutput,
    run: async ({ questionId, option, text = '' }, call) => {
      const reply: ClarificationReply | null =
        option !== undefined
          ? { kind: 'option', number: option }
          : text.trim() === ''
            ? null
            : { kind: 'text', text }
      const options = runOptions(deps, call)
      const answer = await useCases.reply(call.caller, { questionId, reply }, options)
      return showAnswer(deps, call, answer, options)
    },
  })
}

/** Reports progress if the client wants it. */
const runOptions = ({ patienceMs }: ToolDeps, { signal, extra }: ToolCall): CallerRunOptions => {
  const waiting = { signal, ...(patienceMs !== undefined && { patienceMs }) }
  const progressToken = extra._meta?.progressToken
  if (progressToken === undefined) return waiting
  let progress = 0
  return {
    ...waiting,
    onEvent: ({ detail }) => {
      progress += 1
      const message = plainText(detail)
      // A client that has gone reads no progress; the question goes on or is stopped by its signal.
      void extra
        .sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } })
        .catch(() => {})
    },
  }
}

/** Puts a question back to the person if the client can, and shows how the question ended. */
const showAnswer = async (
  { server, useCases }: ToolDeps,
  call: ToolCall,
  first: CallerAnswer,
  options: CallerRunOptions,
): Promise<CallToolResult> => {
  let answer = first
  for (let replies = 0; replies < MOST_REPLIES; replies++) {
    if (answer.status !== 'done' || answer.outcome.status !== 'needs-clarification') break
    const reply = await askPerson(server, call, answer.outcome.clarification)
    if (reply === null) break
    answer = await useCases.reply(call.caller, { questionId: answer.questionId, reply }, options)
  }
  switch (answer.status) {
    case 'done':
      return showOutcome(answer)
    case 'working': {
      const lines = [`**${resultCopy.working}**`, resultCopy.howToWait(answer.questionId)]
      return textResult(lines, { ...answer })
    }
    case 'not-allowed':
      return notAllowedResult(answer)
    case 'no-option':
      return errorResult([errorCopy.noSuchOption(answer.number, answer.options)])
    case 'unknown':
      return errorResult([errorCopy.unknownQuestion])
    case 'stopped':
      return errorResult([errorCopy.stoppedQuestion])
    default: {
      const never: never = answer
      return never
    }
  }
}

const showOutcome = ({
  questionId,
  database,
  outcome,
  table,
}: Extract<CallerAnswer, { readonly status: 'done' }>): CallToolResult => {
  const data = { status: outcome.status, questionId, database }
  switch (outcome.status) {
    case 'answered':
      return showAnswered(outcome, table, data)
    case 'needs-clarification':
      return showQuestionBack(outcome.clarification, data)
    case 'refused':
    case 'failed': {
      const { reason, nextStep } = unansweredText(outcome)
      const { nearest: examples = [], whoToAsk } =
        outcome.status === 'refused' ? outcome : { nearest: [], whoToAsk: undefined }
      const lines = [
        `**${reason}**`,
        nextStep,
        ...examples.map(resultCopy.example),
        ...(whoToAsk === undefined ? [] : [resultCopy.whoToAsk(whoToAsk)]),
      ]
      const more = { examples, ...(whoToAsk !== undefined && { whoToAsk }) }
      return textResult(lines.map(inertMarkdown), { ...data, reason, nextStep, ...more })
    }
    default: {
      const never: never = outcome
      return never
    }
  }
}

const showAnswered = (
  outcome: Extract<Outcome, { readonly status: 'answered' }>,
  table: ResultTable | null,
  data: { readonly questionId: string },
): CallToolResult => {
  const { headline, confidence, assumptions, sql } = outcome
  const alternatives = (outcome.alternatives ?? []).map(({ label, hint }) =>
    hint === '' ? label : `${label} (${hint})`,
  )
  const rows = table === null ? [] : tableLines(table)
  const lines = [
    `**${inertMarkdown(headline)}**`,
    ...(rows.length === 0 ? [] : ['', ...rows]),
    '',
    resultCopy.confidence(confidence),
    ...assumptions.map(resultCopy.assumed).map(inertMarkdown),
    ...alternatives.map(resultCopy.alternative).map(inertMarkdown),
    ...sqlLines(sql),
    resultCopy.reference(data.questionId),
  ]
  return textResult(lines, {
    ...data,
    ...{ headline, confidence, assumptions, alternatives, sql },
    ...(table !== null && tableData(table)),
  })
}

const showQuestionBack = (
  { question, options, defaultOption }: Clarification,
  data: { readonly questionId: string },
): CallToolResult => {
  const shown = readableOptions(options).map(({ label, hint }, i) => ({ number: i + 1, label, hint }))
  const lines = [
    `**${question}**`,
    ...shown.map(({ number, label, hint }) => `${number}. ${label}${hint === '' ? '' : ` (${hint})`}`),
    resultCopy.howToReply(data.questionId),
  ]
  return textResult(lines.map(inertMarkdown), {
    ...data,
    ...{ question, options: shown, defaultOption: defaultOption + 1 },
  })
}
