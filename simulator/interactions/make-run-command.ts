import { z } from 'zod'
import type { SendToBot } from '../delivery/make-send-to-bot.ts'
import type { InteractionResult } from '../shapes/interaction.ts'
import type { Workspace } from '../workspace.ts'
import type { ResponseUrls } from './make-response-urls.ts'

/** Somebody enters a slash command. Throws for a command that this workspace does not have. */
export type RunCommand = (by: string, channel: string, entered: string) => Promise<InteractionResult>

export const makeRunCommand =
  (workspace: Workspace, send: SendToBot, responseUrls: ResponseUrls): RunCommand =>
  async (by, channelId, entered) => {
    const [, command = '', text = ''] = /^(\/\S+)\s*(.*)$/s.exec(entered) ?? []
    if (!workspace.commands.includes(command)) throw new Error(`${command} is not a valid command.`)
    const person = workspace.people.find(person => person.id === by)
    const channel = workspace.channels.find(channel => channel.id === channelId)
    if (!person || !channel) throw new Error('there is no such person or channel')
    const responseUrl = responseUrls.issue({ channel: channelId, threadTs: null, person: by, ts: null })
    const fields = {
      token: 'simulator',
      team_id: workspace.team.id,
      team_domain: workspace.team.domain,
      channel_id: channelId,
      channel_name: channel.kind === 'direct' ? 'directmessage' : channel.name,
      user_id: by,
      user_name: person.handle,
      command,
      text,
      api_app_id: workspace.bot.appId,
      is_enterprise_install: 'false',
      response_url: responseUrl,
      trigger_id: workspace.triggers.issue({ person: by, viewId: null }),
    }
    const heard = await send({
      kind: 'command',
      type: command,
      eventId: null,
      retry: 0,
      retryReason: null,
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams(fields).toString(),
      shown: fields,
    })
    if (heard.outcome === 'acknowledged' && heard.text.trim() !== '') {
      await responseUrls.receive(responseUrl.split('/').at(-1) ?? '', asReply(heard.text))
    }
    const { outcome, status, ms } = heard
    return { outcome, status, ms }
  }

/** The bot can respond to a command with plain text or with JSON. */
const asReply = (text: string): string => {
  try {
    return JSON.stringify(z.looseObject({}).parse(JSON.parse(text)))
  } catch {
    return JSON.stringify({ text })
  }
}
