import type { ScriptedReply } from './scripted-replies.ts'

/** A request, as far as a written reply depends on it. */
export interface ScriptedRequest {
  readonly question: string
  readonly role: string
  readonly prompt: string
  readonly attempt: number
  readonly variables: Readonly<Record<string, string>>
}

/** A request in one line, for the person who has to write its reply. */
export const formatRequest = ({ question, role, prompt, attempt }: ScriptedRequest): string =>
  `the ${role}, ${prompt}, attempt ${attempt}, on “${question}”`

/** The written reply that is most like a request, and what is other in it. */
export const nearestReply = (request: ScriptedRequest, replies: readonly ScriptedReply[]): string => {
  const [nearest] = replies
    .map(reply => ({ reply, others: othersOf(request, reply) }))
    .toSorted((a, b) => weigh(a.others) - weigh(b.others))
  if (nearest === undefined) return 'nothing is written at all'
  const { file, role, prompt, attempt } = nearest.reply
  const others = nearest.others.join(', ')
  return `the nearest is ${role}, ${prompt}, attempt ${attempt} of ${file}, which is other in ${others}`
}

const weights: Readonly<Record<string, number>> = { question: 8, prompt: 4, role: 2, where: 1, attempt: 0.5 }

const weigh = (others: readonly string[]): number =>
  others.reduce((sum, other) => sum + (weights[other] ?? 1), 0)

const othersOf = (request: ScriptedRequest, reply: ScriptedReply): readonly string[] => [
  ...(reply.question === request.question ? [] : ['question']),
  ...(reply.role === request.role ? [] : ['role']),
  ...(reply.prompt === request.prompt ? [] : ['prompt']),
  ...(holds(reply, request.variables) ? [] : ['where']),
  ...(reply.attempt === 'any' || reply.attempt === request.attempt ? [] : ['attempt']),
]

/** Whether the texts that a reply asks for stand in the variables; an empty one asks for a variable that is left out. */
export const holds = (
  { where }: Pick<ScriptedReply, 'where'>,
  variables: Readonly<Record<string, string>>,
): boolean =>
  Object.entries(where).every(([name, text]) =>
    text === '' ? variables[name] === undefined : (variables[name]?.includes(text) ?? false),
  )
