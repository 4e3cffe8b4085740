/* exit_order SCENARIO [LIBRARY]: one way to end a process. The end must be by its own code, without a signal and soon. */
#define _GNU_SOURCE
#include "host.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#define SLOW 300000000

static struct host host;
static int release_in_destructor, tear_down_in_destructor;

/* After main, and after what atexit knows: as static objects of C++ end. */
__attribute__((destructor)) static void after_main(void) {
    if (tear_down_in_destructor) tear_down(&host);
    if (release_in_destructor) release_all(&host);
}

static int objects_in_statics(void) {
    open_host(&host);
    release_in_destructor = 1;
    return 0;
}

static int statics_after_an_early_tear_down(void) {
    open_host(&host);
    tear_down(&host);
    release_in_destructor = 1;
    return 0;
}

static int tear_down_among_the_statics(void) {
    open_host(&host);
    tear_down_in_destructor = release_in_destructor = 1;
    return 0;
}

static int nothing_released(void) {
    open_host(&host);
    MUST(work(&host, host.queue) == PI_SUCCESS);
    return 0;
}

/* Everything but a release is refused after the tear-down; nothing faults. */
static int calls_after_tear_down(void) {
    open_host(&host);
    tear_down(&host);
    pi_context context = NULL;
    pi_event event = NULL;
    pi_uint32 count = 0;
    size_t one = 1, none = 0;
    char *text = NULL;
    MUST(host.pi->piPlatformsGet(0, NULL, &count) != PI_SUCCESS);
    MUST(host.pi->piContextCreate(NULL, 1, &host.device, NULL, NULL, &context) != PI_SUCCESS);
    MUST(work(&host, host.queue) != PI_SUCCESS);
    MUST(host.pi->piEnqueueKernelLaunch(host.queue, host.slow, 1, &none, &one, &one, 0, NULL, &event) != PI_SUCCESS);
    MUST(host.pi->piQueueFinish(host.queue) != PI_SUCCESS);
    (void)host.pi->piMemRetain(host.buffer);
    (void)host.pi->piPluginGetLastError(&text);
    release_all(&host);
    unsigned long flag = 0;
    (void)host.pi->piTearDown(&flag);
    return 0;
}

static int tear_down_with_commands_in_flight(void) {
    open_host(&host);
    start_slow(&host, SLOW);
    tear_down(&host);
    release_in_destructor = 1;
    return 0;
}

static int exit_with_commands_in_flight(void) {
    open_host(&host);
    start_slow(&host, SLOW);
    return 0;
}

static void *slow_then_nothing(void *unused) {
    (void)unused;
    start_slow(&host, SLOW);
    (void)host.pi->piQueueFinish(host.queue);
    return NULL;
}

static int exit_while_a_thread_waits(void) {
    open_host(&host);
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, slow_then_nothing, NULL) == 0);
    usleep(20000);
    exit(0);
}

static atomic_int threads_with_a_queue;

static void *works_for_ever(void *unused) {
    (void)unused;
    pi_queue queue = queue_of(&host);
    atomic_fetch_add(&threads_with_a_queue, 1);
    for (;;) (void)work(&host, queue);
    return NULL;
}

static void four_threads_work(void) {
    for (int i = 0; i < 4; ++i) {
        pthread_t thread;
        MUST(pthread_create(&thread, NULL, works_for_ever, NULL) == 0);
    }
    /* A queue cannot be made after the tear-down, so a busy computer gets the time that it needs. */
    while (atomic_load(&threads_with_a_queue) < 4) usleep(1000);
    usleep(50000);
}

static int threads_still_run(void) {
    open_host(&host);
    four_threads_work();
    return 0;
}

static int threads_still_run_at_the_tear_down(void) {
    open_host(&host);
    four_threads_work();
    tear_down_in_destructor = 1;
    return 0;
}

static int threads_run_past_the_tear_down(void) {
    open_host(&host);
    four_threads_work();
    tear_down(&host);
    usleep(50000);
    return 0;
}

static int dlclose_with_live_objects(void) {
    open_host(&host);
    start_slow(&host, SLOW / 10);
    MUST(dlclose(host.library) == 0);
    /* The table is still good: the library stays. */
    MUST(work(&host, host.queue) == PI_SUCCESS);
    static struct host again;
    open_host(&again);
    MUST(work(&again, again.queue) == PI_SUCCESS);
    release_all(&again);
    release_all(&host);
    return 0;
}

static int dlclose_after_tear_down(void) {
    open_host(&host);
    release_all(&host);
    tear_down(&host);
    MUST(dlclose(host.library) == 0);
    open_host(&host);
    MUST(work(&host, host.queue) == PI_SUCCESS);
    release_all(&host);
    tear_down(&host);
    MUST(dlclose(host.library) == 0);
    return 0;
}

static void ends_the_process(pi_event event, pi_int32 status, void *data) {
    (void)event, (void)status, (void)data;
    exit(7);
}

static int exit_in_a_callback(void) {
    open_host(&host);
    pi_event event = start_slow(&host, SLOW / 10);
    pi_result set = host.pi->piEventSetCallback(event, PI_EVENT_COMPLETE, ends_the_process, NULL);
    if (set == PI_ERROR_INVALID_OPERATION || set == PI_ERROR_UNSUPPORTED_FEATURE) _exit(77);
    MUST(set == PI_SUCCESS);
    (void)host.pi->piQueueFinish(host.queue);
    for (;;) pause();
}

static int fork_then_exec(void) {
    open_host(&host);
    start_slow(&host, SLOW / 10);
    for (int i = 0; i < 4; ++i) {
        pid_t child = fork();
        if (child == 0) {
            execl("/bin/true", "true", (char *)NULL);
            _exit(1);
        }
        int status = -1;
        MUST(child > 0 && work(&host, host.queue) == PI_SUCCESS);
        MUST(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    MUST(work(&host, host.queue) == PI_SUCCESS);
    release_all(&host);
    return 0;
}

/* The plugin is loaded but was never used before the fork: both processes use it then. */
static int fork_before_the_first_call(void) {
    open_plugin(&host);
    pid_t child = fork();
    MUST(child >= 0);
    open_host(&host);
    MUST(work(&host, host.queue) == PI_SUCCESS);
    release_all(&host);
    if (child == 0) exit(0);
    int status = -1;
    MUST(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}

static void *works_and_exits(void *unused) {
    (void)unused;
    usleep(20000);
    MUST(work(&host, host.queue) == PI_SUCCESS);
    exit(0);
}

static int main_thread_ends_first(void) {
    open_host(&host);
    pthread_t thread;
    MUST(pthread_create(&thread, NULL, works_and_exits, NULL) == 0);
    pthread_exit(NULL);
}

static pthread_key_t key;

/* The thread's own data end while it calls: its last error among them. */
static void at_the_end_of_a_thread(void *round) {
    int left = (int)(size_t)round;
    (void)host.pi->piQueueFinish(NULL);
    char *text = NULL;
    (void)host.pi->piPluginGetLastError(&text);
    MUST(work(&host, host.queue) == PI_SUCCESS);
    if (left > 1) pthread_setspecific(key, (void *)(size_t)(left - 1));
}

static void *fails_once(void *unused) {
    (void)unused;
    pthread_setspecific(key, (void *)(size_t)3);
    (void)host.pi->piQueueFinish(NULL);
    return NULL;
}

static int calls_in_a_thread_s_destructors(void) {
    open_host(&host);
    MUST(pthread_key_create(&key, at_the_end_of_a_thread) == 0);
    for (int i = 0; i < 4; ++i) {
        pthread_t thread;
        MUST(pthread_create(&thread, NULL, fails_once, NULL) == 0 && pthread_join(thread, NULL) == 0);
    }
    pthread_setspecific(key, (void *)(size_t)1);
    return 0;
}

static void quick(void) { release_all(&host); }

static int quick_exit_with_releases(void) {
    open_host(&host);
    MUST(at_quick_exit(quick) == 0);
    quick_exit(0);
}

/* A library of the program's holds objects and lets them go in its own destructor. */
static void *library_that_holds(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    MUST(library != NULL);
    void (*hold)(void);
    *(void **)&hold = dlsym(library, "hold");
    MUST(hold != NULL);
    hold();
    return library;
}

static int objects_in_a_library(const char *path) {
    library_that_holds(path);
    open_host(&host);
    release_in_destructor = 1;
    return 0;
}

static int objects_in_a_closed_library(const char *path) {
    void *library = library_that_holds(path);
    MUST(dlclose(library) == 0);
    open_host(&host);
    MUST(work(&host, host.queue) == PI_SUCCESS);
    return 0;
}

static int objects_in_a_library_after_tear_down(const char *path) {
    library_that_holds(path);
    open_host(&host);
    tear_down(&host);
    return 0;
}

#define SCENARIO(name) {#name, name, NULL}
#define WITH_LIBRARY(name) {#name, NULL, name}

static const struct {
    const char *name;
    int (*run)(void);
    int (*run_with)(const char *);
} SCENARIOS[] = {
    SCENARIO(objects_in_statics),
    SCENARIO(statics_after_an_early_tear_down),
    SCENARIO(tear_down_among_the_statics),
    SCENARIO(nothing_released),
    SCENARIO(calls_after_tear_down),
    SCENARIO(tear_down_with_commands_in_flight),
    SCENARIO(exit_with_commands_in_flight),
    SCENARIO(exit_while_a_thread_waits),
    SCENARIO(threads_still_run),
    SCENARIO(threads_still_run_at_the_tear_down),
    SCENARIO(threads_run_past_the_tear_down),
    SCENARIO(dlclose_with_live_objects),
    SCENARIO(dlclose_after_tear_down),
    SCENARIO(exit_in_a_callback),
    SCENARIO(fork_then_exec),
    SCENARIO(fork_before_the_first_call),
    SCENARIO(main_thread_ends_first),
    SCENARIO(calls_in_a_thread_s_destructors),
    SCENARIO(quick_exit_with_releases),
    WITH_LIBRARY(objects_in_a_library),
    WITH_LIBRARY(objects_in_a_closed_library),
    WITH_LIBRARY(objects_in_a_library_after_tear_down),
};

int main(int count, char **args) {
    size_t known = sizeof SCENARIOS / sizeof *SCENARIOS;
    for (size_t i = 0; count == 1 && i < known; ++i) puts(SCENARIOS[i].name);
    if (count == 1) return 0;
    for (size_t i = 0; i < known; ++i) {
        if (strcmp(args[1], SCENARIOS[i].name) != 0) continue;
        if (SCENARIOS[i].run) return SCENARIOS[i].run();
        MUST(count == 3);
        return SCENARIOS[i].run_with(args[2]);
    }
    return 2;
}
