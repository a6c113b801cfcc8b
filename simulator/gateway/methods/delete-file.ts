import type { Messaging } from '../../messaging/make-messaging.ts'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, refuse } from '../api-method.ts'

/** `files.delete`: the file is gone from every message; what was said with it stays. */
export const makeDeleteFile =
  (workspace: Pick<Workspace, 'files' | 'messages'>, messaging: Messaging): ApiMethod =>
  async params => {
    const id = String(params.file)
    if (!workspace.files.remove(id)) return refuse('file_not_found')
    for (const { channel, ts, files } of workspace.messages.all())
      if (files.some(file => file.id === id))
        messaging.change(channel, ts, 'update', { files: files.filter(file => file.id !== id) })
    return { ok: true }
  }
