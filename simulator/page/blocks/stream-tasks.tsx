import type { StreamState, StreamTask } from '../../shapes/message.ts'

const states: Readonly<Record<StreamTask['status'], string>> = {
  pending: 'to do',
  in_progress: 'under way',
  complete: 'done',
  error: 'failed',
}

/** The timeline of a streaming message: what is to be done, is being done, and was done. */
export const StreamTasks = ({ stream }: { readonly stream: StreamState }) =>
  stream.tasks.length === 0 ? null : (
    <div className="tasks">
      {stream.planTitle !== null && <b>{stream.planTitle}</b>}
      <ul aria-label="Progress">
        {stream.tasks.map(task => (
          <li key={task.id} data-status={task.status}>
            <i aria-hidden="true" />
            <span>
              {task.title}
              <span className="spoken"> ({states[task.status]})</span>
            </span>
            {task.details && <small>{task.details}</small>}
            {task.output && <small>{task.output}</small>}
          </li>
        ))}
      </ul>
    </div>
  )
