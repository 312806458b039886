// What suite/java.sh runs: a server with clients, files, threads and processes; a line TEST<TAB>RESULT for each.
import com.sun.net.httpserver.HttpServer;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.*;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.zip.CRC32;

public class Java {
    static void tell(String test, Object result) { System.out.println(test + "\t" + result); }

    static String digest(byte[] data) {
        CRC32 crc = new CRC32();
        crc.update(data);
        return Long.toHexString(crc.getValue());
    }

    static void serve() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/", exchange -> {
            int size = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
            byte[] body = new byte[size];
            Arrays.fill(body, (byte) size);
            exchange.sendResponseHeaders(200, size == 0 ? -1 : size);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        HttpClient client = HttpClient.newHttpClient();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int n = 0; n < 500; n++)
            answers.add(client.sendAsync(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + n * 101))
                .build(), HttpResponse.BodyHandlers.ofByteArray()).thenApply(a -> a.statusCode() + " " + digest(a.body())));
        for (int n = 0; n < 500; n++)
            tell("request " + n, answers.get(n).get());
        server.stop(0);
        ((ExecutorService) server.getExecutor()).shutdown();
    }

    static void files() throws Exception {
        CRC32 sum = new CRC32();
        for (int n = 0; n < 200; n++) {
            Path path = Path.of("file" + n);
            Files.writeString(path, "y".repeat(n * 31));
            sum.update(Files.readAllBytes(path));
        }
        tell("200 files", sum.getValue());
        try (FileChannel channel = FileChannel.open(Path.of("mapped"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 20);
            for (int n = 0; n < 1 << 20; n++)
                map.put(n, (byte) (n * 7));
            map.force();
        }
        tell("a mapped file", digest(Files.readAllBytes(Path.of("mapped"))));
        try {
            Files.readString(Path.of("/nowhere"));
        } catch (NoSuchFileException error) {
            tell("no such file", error.getMessage());
        }
    }

    static void processes() throws Exception {
        tell("exit status", new ProcessBuilder("sh", "-c", "exit 7").start().waitFor());
        tell("a signal", new ProcessBuilder("sh", "-c", "kill -9 $$").start().waitFor());
        List<Process> many = new ArrayList<>();
        for (int n = 0; n < 30; n++)
            many.add(new ProcessBuilder("sh", "-c", "echo " + n + "; exit " + n).start());
        for (int n = 0; n < 30; n++)
            tell("process " + n, new String(many.get(n).getInputStream().readAllBytes()).trim() + " " + many.get(n).waitFor());
        Process cat = new ProcessBuilder("cat").start();
        Thread writer = new Thread(() -> {
            try (OutputStream out = cat.getOutputStream()) {
                out.write(new byte[1000000]);
            } catch (IOException error) {
                tell("writing", error);
            }
        });
        writer.start();
        tell("there and back", digest(cat.getInputStream().readAllBytes()));
        Process sleeper = new ProcessBuilder("sleep", "100").start();
        sleeper.destroy();
        tell("one that is ended", sleeper.waitFor());
    }

    static void threads() throws Exception {
        AtomicLong sum = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            int own = n;
            Thread thread = new Thread(() -> {
                List<byte[]> kept = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    if (i % 20 == 0)
                        kept.clear();
                    kept.add(new byte[10000]);
                }
                sum.addAndGet(own * own);
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads)
            thread.join();
        tell("200 threads", sum.get());
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(100000);
            } catch (InterruptedException error) {
                tell("one that is interrupted", error.getMessage());
            }
        });
        sleeper.start();
        sleeper.interrupt();
        sleeper.join();
        int caught = 0;
        int[] nothing = new int[1] .length == 1 ? null : new int[1];
        for (int n = 0; n < 100000; n++) {
            try {
                caught += nothing[0];
            } catch (NullPointerException error) {
                caught++;
            }
        }
        tell("faults that it catches", caught);
        tell("a deep stack", overflow());
        System.gc();
    }

    static int depth;
    static void deeper() { depth++; deeper(); }
    static boolean overflow() {
        try {
            deeper();
        } catch (StackOverflowError error) {
            return depth > 1000;
        }
        return false;
    }

    public static void main(String[] arguments) throws Exception {
        serve();
        files();
        processes();
        threads();
        tell("end", "reached");
        System.exit(0);
    }
}
