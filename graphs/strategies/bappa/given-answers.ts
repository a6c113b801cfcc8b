import type { AgentTools } from '../shared/agent-tools.ts'

/** What one agent answered: its statement is a candidate in the run store. */
export interface GivenAnswer {
  readonly agent: string
  /** Null if it wrote no statement. */
  readonly candidateId: string | null
  /** How it came about, or what is missing. */
  readonly reasoning: string
}

/** Reasoning is quoted to other agents up to this length, in characters. */
const LONGEST_REASONING = 800

export const cutReasoning = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_REASONING ? `${line.slice(0, LONGEST_REASONING)}…` : line
}

/** Stores an answer's statement, if it has one, as a candidate that has not run. */
export const keepAnswer = async (
  reply: {
    readonly reasoning: string
    readonly sql: string
    readonly missing: string
    readonly assumptions: readonly string[]
  },
  {
    agent,
    confidence,
    sample,
  }: { readonly agent: string; readonly confidence: number; readonly sample: number },
  tools: AgentTools,
): Promise<GivenAnswer> => {
  const { sql, missing, assumptions } = reply
  const reasoning = cutReasoning(sql === '' && missing !== '' ? missing : reply.reasoning)
  if (sql === '') return { agent, candidateId: null, reasoning }
  return { agent, candidateId: await tools.draft({ sql, agent, confidence, assumptions, sample }), reasoning }
}

/** Answers for another agent to read: who gave it, how, and the statement. */
export const describeAnswers = async (
  answers: readonly GivenAnswer[],
  tools: AgentTools,
): Promise<string> => {
  const told = await Promise.all(
    answers.map(async ({ agent, candidateId, reasoning }) => {
      const sql = candidateId === null ? 'none' : (await tools.candidate(candidateId)).sql
      return `${agent}: ${reasoning}\nSQL: ${sql}`
    }),
  )
  return told.join('\n\n')
}

/** The model whose turn it is: of the models named in the settings, else of those that draft. */
export const modelInTurn = (
  named: readonly string[],
  drafters: readonly string[],
  turn: number,
): string | undefined => {
  const models = named.length > 0 ? named : drafters
  return models[turn % models.length]
}
