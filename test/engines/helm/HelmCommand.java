import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.nio.file.Path;

/** The commands of Helm that the tests use: `lint CHART --strict` and `template NAME CHART [--set KEY=VALUE]...`. */
public final class HelmCommand {
  public static void main(String[] words) {
    try {
      System.exit(words[0].equals("lint") ? lint(words) : template(words));
    } catch (IllegalStateException error) {
      System.err.println(error.getMessage());
      System.exit(1);
    }
  }

  private static int lint(String[] words) {
    LintResult result = new Helm(Path.of(words[1])).lint().strict().call();
    result.getMessages().forEach(System.out::println);
    return result.isFailed() ? 1 : 0;
  }

  private static int template(String[] words) {
    TemplateCommand command = new Helm(Path.of(words[2])).template().withName(words[1]);
    for (int at = 3; at < words.length; at += 2) {
      if (!words[at].equals("--set")) throw new IllegalStateException("not understood: " + words[at]);
      String[] set = words[at + 1].split("=", 2);
      command.set(set[0], set[1]);
    }
    System.out.print(command.call());
    return 0;
  }
}
