import io.airlift.discovery.server.testing.TestingDiscoveryServer;
import io.trino.plugin.memory.MemoryPlugin;
import io.trino.plugin.postgresql.PostgreSqlPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.server.testing.TestingTrinoServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * One node of a Trino cluster, in a process of its own: {@code TrinoNode coordinator FOLDER PORT} or
 * {@code TrinoNode worker FOLDER NAME}. The coordinator writes where workers find it into FOLDER. A file
 * NAME.ready appears when a node takes work. The catalog postgresql needs POSTGRES_JDBC, POSTGRES_USER and
 * POSTGRES_PASSWORD in the environment, and is left out without them.
 */
public final class TrinoNode {
    private static final String ENVIRONMENT = "querent";

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        Files.createDirectories(folder);
        boolean isCoordinator = arguments[0].equals("coordinator");
        String name = isCoordinator ? "coordinator" : arguments[2];
        Path address = folder.resolve("discovery");
        TestingTrinoServer.Builder node = TestingTrinoServer.builder()
            .setCoordinator(isCoordinator)
            .setEnvironment(ENVIRONMENT)
            .setProperties(isCoordinator ? coordinatorProperties(arguments[2]) : workerProperties());
        if (isCoordinator) {
            URI discovery = new TestingDiscoveryServer(ENVIRONMENT).getBaseUrl();
            Files.writeString(address, discovery.toString());
            node.setDiscoveryUri(discovery);
        } else {
            while (!Files.exists(address)) Thread.sleep(100);
            node.setDiscoveryUri(URI.create(Files.readString(address)));
        }
        try {
            serve(node.build(), folder.resolve(name + ".ready"));
        } catch (Throwable failure) {
            // Threads of a half-started server would keep the process alive.
            failure.printStackTrace();
            System.exit(1);
        }
    }

    private static void serve(TestingTrinoServer server, Path ready) throws Exception {
        server.installPlugin(new TpchPlugin());
        server.installPlugin(new MemoryPlugin());
        server.installPlugin(new PostgreSqlPlugin());
        server.createCatalog("tpch", "tpch", Map.of());
        server.createCatalog("memory", "memory", Map.of("memory.max-data-per-node", "512MB"));
        String jdbc = System.getenv("POSTGRES_JDBC");
        if (jdbc != null)
            server.createCatalog("postgresql", "postgresql", Map.of(
                "connection-url", jdbc,
                "connection-user", System.getenv().getOrDefault("POSTGRES_USER", "postgres"),
                "connection-password", System.getenv().getOrDefault("POSTGRES_PASSWORD", "")));
        server.refreshNodes();
        Files.writeString(ready, server.getBaseUrl().toString());
        Thread.currentThread().join();
    }

    private static Map<String, String> coordinatorProperties(String port) {
        return Map.of(
            "http-server.http.port", port,
            "node-scheduler.include-coordinator", "false",
            "query.min-expire-age", "10s",
            // A worker that dies is noticed within seconds.
            "failure-detector.heartbeat-interval", "500ms",
            "failure-detector.threshold", "0.3");
    }

    private static Map<String, String> workerProperties() {
        return Map.of();
    }
}
