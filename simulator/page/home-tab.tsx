import { Blocks } from './blocks/blocks.tsx'
import { useWorkspace } from './workspace-context.ts'

/** What the bot has published for this person. */
export const HomeTab = () => {
  const { snapshot } = useWorkspace()
  return (
    <div className="messages">
      <div className="home">
        {snapshot.home ? (
          <Blocks blocks={snapshot.home.view.blocks} on={{ viewId: snapshot.home.id }} />
        ) : (
          <p className="start">{snapshot.bot.name} has not published a Home tab yet.</p>
        )}
      </div>
    </div>
  )
}
