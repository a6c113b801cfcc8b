import type { StreamState } from '../../shapes/message.ts'

const signs = { pending: '○', in_progress: '◐', complete: '●', error: '✕' } as const

/** The timeline of a streaming message: what is to be done, is being done, and was done. */
export const StreamTasks = ({ stream }: { readonly stream: StreamState }) =>
  stream.tasks.length === 0 ? null : (
    <div className="tasks">
      {stream.planTitle !== null && <b>{stream.planTitle}</b>}
      <ul>
        {stream.tasks.map(task => (
          <li key={task.id} data-status={task.status}>
            <span aria-hidden="true">{signs[task.status]}</span> {task.title}
            {task.details && <small>{task.details}</small>}
            {task.output && <small>{task.output}</small>}
          </li>
        ))}
      </ul>
    </div>
  )
