import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { SimulatorRecord, SimulatorUse } from '../simulator.ts'
import type { Workspace } from '../workspace.ts'
import { readBody } from './read-body.ts'
import { sendJson } from './send-json.ts'
import { streamChanges } from './stream-changes.ts'
import { takeSnapshot } from './take-snapshot.ts'

const many = z.union([z.string(), z.array(z.string())])

const bodies = {
  post: z.object({ by: z.string(), in: z.string(), thread: z.string().optional(), text: z.string().min(1) }),
  edit: z.object({ by: z.string(), channel: z.string(), ts: z.string(), text: z.string().min(1) }),
  remove: z.object({ by: z.string(), channel: z.string(), ts: z.string() }),
  click: z.object({
    by: z.string(),
    on: z.union([z.object({ channel: z.string(), ts: z.string() }), z.object({ viewId: z.string() })]),
    actionId: z.string(),
    choice: many.optional(),
  }),
  submit: z.object({ by: z.string(), values: z.record(z.string(), many) }),
  close: z.object({ by: z.string() }),
  home: z.object({ by: z.string(), tab: z.enum(['home', 'messages']) }),
  command: z.object({ by: z.string(), in: z.string(), text: z.string() }),
} as const

/** The requests of the page, under `/_simulator/`. The records are there too, for curl. */
export const makeHandlePageCall = (
  workspace: Workspace,
  simulator: SimulatorUse & SimulatorRecord,
): ((name: string, request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>) => {
  const reads: Readonly<Record<string, (url: URL) => unknown>> = {
    snapshot: url => takeSnapshot(workspace, url.searchParams.get('me')),
    messages: simulator.messages,
    deliveries: simulator.deliveries,
    calls: simulator.calls,
    problems: simulator.problems,
  }

  const act = async (name: string, body: unknown): Promise<unknown> => {
    switch (name) {
      case 'post':
        return simulator.post(given(bodies.post, body))
      case 'edit': {
        const { by, text, ...which } = bodies.edit.parse(body)
        assertOwn(simulator, which, by)
        return simulator.edit(which, text)
      }
      case 'remove': {
        const { by, ...which } = bodies.remove.parse(body)
        assertOwn(simulator, which, by)
        await simulator.remove(which)
        return {}
      }
      case 'click':
        return simulator.click(given(bodies.click, body))
      case 'submit': {
        const { by, values } = bodies.submit.parse(body)
        return simulator.submitModal(by, values)
      }
      case 'close':
        return simulator.closeModal(bodies.close.parse(body).by)
      case 'home': {
        const { by, tab } = bodies.home.parse(body)
        simulator.openHome(by, tab)
        return {}
      }
      case 'command': {
        const { by, in: channel, text } = bodies.command.parse(body)
        return simulator.command(by, channel, text)
      }
      default:
        throw new Error(`the page cannot do ${name}`)
    }
  }

  return async (name, request, response, url) => {
    if (request.method === 'GET' && name === 'changes') {
      streamChanges(workspace, request, response)
      return
    }
    try {
      const read = reads[name]
      const body =
        request.method === 'GET' && read
          ? read(url)
          : await act(name, JSON.parse((await readBody(request)).toString('utf8')))
      sendJson(response, 200, body ?? null)
    } catch (error) {
      sendJson(response, 400, { error: error instanceof Error ? error.message : String(error) })
    }
  }
}

/** People can change only their own messages, as in Slack. */
const assertOwn = (
  simulator: SimulatorRecord,
  { channel, ts }: { readonly channel: string; readonly ts: string },
  by: string,
): void => {
  const message = simulator.messages().find(one => one.channel === channel && one.ts === ts)
  if (message?.author !== by) throw new Error('only your own messages can be changed')
}

/** Parsed, and without fields that are there but undefined. */
const given = <Shape extends z.ZodType>(schema: Shape, body: unknown) =>
  schema.parse(body) as { [Name in keyof z.output<Shape>]: Exclude<z.output<Shape>[Name], undefined> }
