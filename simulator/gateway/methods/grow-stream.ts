import { z } from 'zod'
import type { StreamState } from '../../shapes/message.ts'

/** A chunk of a streaming message, as Slack accepts it. */
export const streamChunk = z.discriminatedUnion('type', [
  z.object({ type: z.literal('markdown_text'), text: z.string() }),
  z.object({
    type: z.literal('task_update'),
    id: z.string().min(1),
    title: z.string().min(1),
    status: z.enum(['pending', 'in_progress', 'complete', 'error']),
    details: z.string().optional(),
    output: z.string().optional(),
  }),
  z.object({ type: z.literal('plan_update'), title: z.string() }),
  z.object({ type: z.literal('blocks'), blocks: z.array(z.looseObject({ type: z.string() })) }),
])

export type StreamChunk = z.infer<typeof streamChunk>

export const emptyStream: StreamState = { state: 'streaming', markdown: '', planTitle: null, tasks: [] }

/** The stream after more pieces: text is appended, a task of a known id is replaced. Blocks are kept by the message. */
export const growStream = (stream: StreamState, chunks: readonly StreamChunk[]): StreamState => {
  let grown = stream
  for (const chunk of chunks) grown = growBy(grown, chunk)
  return grown
}

const growBy = (stream: StreamState, chunk: StreamChunk): StreamState => {
  switch (chunk.type) {
    case 'markdown_text':
      return { ...stream, markdown: stream.markdown + chunk.text }
    case 'plan_update':
      return { ...stream, planTitle: chunk.title }
    case 'blocks':
      return stream
    case 'task_update': {
      const { type: _, details, output, ...given } = chunk
      const task = { ...given, ...(details ? { details } : {}), ...(output ? { output } : {}) }
      const known = stream.tasks.some(other => other.id === task.id)
      const tasks = known
        ? stream.tasks.map(other => (other.id === task.id ? { ...other, ...task } : other))
        : [...stream.tasks, task]
      return { ...stream, tasks }
    }
    default: {
      const never: never = chunk
      return never
    }
  }
}
