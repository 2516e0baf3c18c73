//! A timer: TIM5 keeps the time, TIM7 the task watchdog's beat.
