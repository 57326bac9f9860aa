/* Load for brokers: a pool of echoing workers, or a client with a window of open requests.
 *
 *   broker_load workers DIALECT ENDPOINT COUNT
 *   broker_load client  DIALECT ENDPOINT WINDOW TOTAL
 *
 * DIALECT is mdpx, majortomo or plain. A pool prints "ready" once it has registered and echoes until
 * it is ended. A client prints the seconds that TOTAL requests took after a warm-up and, with a window
 * of 1, the median round trip in microseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

#define MOST_FRAMES 16

typedef struct {
    zmq_msg_t frames[MOST_FRAMES];
    int count;
} message_t;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, zmq_strerror(zmq_errno()));
    exit(1);
}

static int take(void *socket, message_t *message) {
    int more = 1;
    message->count = 0;
    while (more) {
        zmq_msg_t *frame = &message->frames[message->count];
        zmq_msg_init(frame);
        if (zmq_msg_recv(frame, socket, ZMQ_DONTWAIT) < 0) {
            zmq_msg_close(frame);
            return 0;
        }
        more = zmq_msg_more(frame);
        if (++message->count == MOST_FRAMES) fail("too many frames");
    }
    return 1;
}

static void give(void *socket, message_t *message) {
    for (int n = 0; n < message->count; n++)
        if (zmq_msg_send(&message->frames[n], socket, n + 1 < message->count ? ZMQ_SNDMORE : 0) < 0)
            fail("send");
}

static void drop(message_t *message) {
    for (int n = 0; n < message->count; n++) zmq_msg_close(&message->frames[n]);
}

static void put(void *socket, const char *octets, size_t size, int more) {
    if (zmq_send(socket, octets, size, more ? ZMQ_SNDMORE : 0) < 0) fail("send");
}

static void *dealer(void *context, const char *endpoint) {
    void *socket = zmq_socket(context, ZMQ_DEALER);
    int unbounded = 0, linger = 0;
    zmq_setsockopt(socket, ZMQ_SNDHWM, &unbounded, sizeof unbounded);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &unbounded, sizeof unbounded);
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    if (zmq_connect(socket, endpoint) < 0) fail(endpoint);
    return socket;
}

/* ------------------------------------------------------------------ workers */

static void register_worker(void *socket, const char *dialect) {
    if (!strcmp(dialect, "mdpx")) {
        put(socket, "MDXW01", 6, 1);
        put(socket, "\1", 1, 1);
        put(socket, "echo", 4, 0);
    } else if (!strcmp(dialect, "majortomo")) {
        put(socket, "", 0, 1);
        put(socket, "MDPW02", 6, 1);
        put(socket, "\1", 1, 1);
        put(socket, "echo", 4, 0);
    }
}

static void beat(void *socket, const char *dialect) {
    if (!strcmp(dialect, "mdpx")) {
        put(socket, "MDXW01", 6, 1);
        put(socket, "PING", 4, 0);
    } else if (!strcmp(dialect, "majortomo")) {
        put(socket, "", 0, 1);
        put(socket, "MDPW02", 6, 1);
        put(socket, "\5", 1, 0);
    }
}

static int is_command(zmq_msg_t *frame, char command) {
    return zmq_msg_size(frame) == 1 && *(char *)zmq_msg_data(frame) == command;
}

static void echo(void *socket, message_t *message, const char *dialect) {
    int command = !strcmp(dialect, "mdpx") ? 1 : !strcmp(dialect, "majortomo") ? 2 : -1;
    if (command >= 0) {
        if (message->count <= command || !is_command(&message->frames[command], 2)) {
            drop(message);
            return;
        }
        *(char *)zmq_msg_data(&message->frames[command]) = 4;
    }
    give(socket, message);
}

static void serve(void *context, const char *dialect, const char *endpoint, int count) {
    zmq_pollitem_t *items = calloc(count, sizeof *items);
    double beaten = now();
    for (int n = 0; n < count; n++) {
        items[n].socket = dealer(context, endpoint);
        items[n].events = ZMQ_POLLIN;
        register_worker(items[n].socket, dialect);
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        message_t message;
        if (zmq_poll(items, count, 500) < 0) fail("poll");
        for (int n = 0; n < count; n++)
            if (items[n].revents & ZMQ_POLLIN)
                while (take(items[n].socket, &message)) echo(items[n].socket, &message, dialect);
        if (now() - beaten > 1.0) {
            beaten = now();
            for (int n = 0; n < count; n++) beat(items[n].socket, dialect);
        }
    }
}

/* ------------------------------------------------------------------ client */

static void ask(void *socket, const char *dialect, int number) {
    static char body[64];
    char id[16];
    if (!strcmp(dialect, "mdpx")) {
        put(socket, "MDXC01", 6, 1);
        put(socket, "\1", 1, 1);
        put(socket, "echo", 4, 1);
        put(socket, id, snprintf(id, sizeof id, "%d", number), 1);
    } else if (!strcmp(dialect, "majortomo")) {
        put(socket, "", 0, 1);
        put(socket, "MDPC02", 6, 1);
        put(socket, "\2", 1, 1);
        put(socket, "echo", 4, 1);
    }
    put(socket, body, sizeof body, 0);
}

static void await(void *socket, double patience) {
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    if (zmq_poll(&item, 1, (long)(patience * 1000)) <= 0) {
        fprintf(stderr, "no reply within %g s\n", patience);
        exit(3);
    }
}

static double run(void *socket, const char *dialect, int window, int total) {
    double begun = now();
    int asked = 0, answered = 0;
    while (asked < window && asked < total) ask(socket, dialect, asked++);
    while (answered < total) {
        message_t message;
        await(socket, 30.0);
        while (take(socket, &message)) {
            drop(&message);
            answered++;
            if (asked < total) ask(socket, dialect, asked++);
        }
    }
    return now() - begun;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int request(void *context, const char *dialect, const char *endpoint, int window, int total) {
    void *socket = dealer(context, endpoint);
    run(socket, dialect, window, total / 10 + window);
    if (window > 1) {
        printf("%.9f\n", run(socket, dialect, window, total));
    } else {
        double *times = calloc(total, sizeof *times);
        for (int n = 0; n < total; n++) times[n] = run(socket, dialect, 1, 1);
        qsort(times, total, sizeof *times, by_size);
        printf("%.3f\n", times[total / 2] * 1e6);
    }
    zmq_close(socket);
    return 0;
}

int main(int count, char **words) {
    void *context = zmq_ctx_new();
    int status = 2;
    if (count == 5 && !strcmp(words[1], "workers"))
        serve(context, words[2], words[3], atoi(words[4]));
    else if (count == 6 && !strcmp(words[1], "client"))
        status = request(context, words[2], words[3], atoi(words[4]), atoi(words[5]));
    else
        fprintf(stderr, "usage: broker_load workers|client DIALECT ENDPOINT …\n");
    zmq_ctx_term(context);
    return status;
}
